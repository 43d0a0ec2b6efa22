"""ReFrame's file of a site, as an example: a partition for each kind of GPU. A site with slurmdbd says 'slurm'
instead of 'squeue', which needs no accounting. See https://reframe-hpc.readthedocs.io (configuration reference)."""

import os


def partition(name, gpus, scheduler="squeue"):
    return {
        "name": name,
        "scheduler": scheduler,
        "launcher": "srun",
        "access": [f"-p {name}"],
        "environs": ["builtin"],
        "max_jobs": 100,
        "features": ["gpu"],
        "devices": [{"type": "gpu", "num_devices": gpus}],
        "resources": [{"name": "gpu", "options": ["--gpus-per-node={num_gpus_per_node}"]}],
    }


site_configuration = {
    "systems": [
        {
            "name": "fleet",
            "hostnames": [".*"],
            # FLEET_PARTITIONS='h100:4 a100:4': the names of this site's partitions and GPUs of a node
            "partitions": [
                partition(name, int(gpus))
                for name, gpus in (
                    one.split(":") for one in os.environ.get("FLEET_PARTITIONS", "h100:4 a100:4").split()
                )
            ],
        }
    ],
    "general": [{"poll_rate_min": 1, "poll_rate_max": 10}],
    "logging": [
        {
            "handlers": [{"type": "stream", "name": "stdout", "level": "info", "format": "%(message)s"}],
            "handlers_perflog": [
                {
                    "type": "filelog",
                    "prefix": "%(check_system)s/%(check_partition)s",
                    "level": "info",
                    "append": True,
                    "format": "%(check_job_completion_time)s|%(check_unique_name)s|%(check_job_nodelist)s|"
                    "%(check_result)s|%(check_perfvalues)s",
                    "format_perfvars": "%(check_perf_value)s|%(check_perf_unit)s|",
                }
            ],
        }
    ],
}
