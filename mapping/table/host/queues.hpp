// Queues, streams, events and waiting.
#pragma once

#include "mapping/table/mapping_rule.hpp"

namespace parallax::row_lists {

inline constexpr MappingRule host_queues[] = {
    {"clCreateCommandQueueWithProperties", "cudaStreamCreateWithFlags",
     "An OpenCL queue belongs to the context and device that it names; a CUDA stream belongs to "
     "the device that is the thread's current one when it is made.", nearly,
     "clGetCommandQueueInfo, clSetCommandQueueProperty, queue, command queue, stream, "
     "cl_command_queue, cl::CommandQueue, clCreateCommandQueue, cudaStream_t, cudaStreamCreate, "
     "CUstream, cuStreamCreate, cl_command_queue_properties, cl::QueueProperties::None, "
     "CL_INVALID_COMMAND_QUEUE",
     {{"backends/opencl/opencl_device.cpp", "shared_->queue = cl::CommandQueue("},
      {"backends/cuda/context.cpp", "cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)"}}},
    {"in-order queue", "stream",
     "Commands of one queue run one after another and see each other's writes; nothing is said "
     "of two queues until an event joins them.", same,
     "in-order, order of commands, FIFO, CL_QUEUE_PROPERTIES"},
    {"CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE", "",
     "CUDA has no stream without an order: several streams or a graph say what may overlap, and "
     "on NVIDIA's OpenCL an out-of-order queue overlapped nothing here.", none,
     "out-of-order, out of order, CL_DEVICE_QUEUE_PROPERTIES, "
     "CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, concurrency, overlap, concurrent kernels",
     {{"backends/opencl/run.cpp", "properties |= CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;"}}},
    {"", "default stream",
     "Work in CUDA's stream 0 waits for all other streams and they for it, unless they were "
     "made with cudaStreamNonBlocking or per-thread default streams are on; OpenCL has no such "
     "queue.", none,
     "stream 0, NULL stream, legacy default stream, cudaStreamNonBlocking, cudaStreamLegacy, "
     "cudaStreamPerThread, per-thread default stream, --default-stream, CU_STREAM_NON_BLOCKING, "
     "implicit synchronisation",
     {{"backends/cuda/context.cpp", "Not the default stream, which would wait"}}},
    {"CL_QUEUE_PRIORITY_KHR", "cudaStreamCreateWithPriority",
     "OpenCL's priority is a hint of an extension (cl_khr_priority_hints), and CUDA's smaller "
     "number is the more urgent one.", nearly,
     "cudaStreamGetPriority, priority, stream priority, cl_khr_priority_hints, "
     "cudaDeviceGetStreamPriorityRange"},
    {"cl_event", "cudaEvent_t",
     "Every OpenCL command can make an event that is about this command; a CUDA event is made "
     "first, stands for a place in a stream, and can be recorded there again.", nearly,
     "event, cl::Event, CUevent, CUevent_st, cudaEventCreate, cudaEventCreateWithFlags, "
     "cudaEventDefault, cuEventCreate, clRetainEvent, clReleaseEvent, cudaEventDestroy, "
     "CL_INVALID_EVENT",
     {{"backends/opencl/run.cpp", "std::vector<cl::Event> ended(commands.size());"},
      {"backends/cuda/context.cpp",
       "CHECK(*this, cudaEventCreateWithFlags(&event, cudaEventDisableTiming));"}}},
    {"clEnqueueMarkerWithWaitList", "cudaEventRecord",
     "A marker's event ends when everything before it, or what its list names, has ended, as a "
     "recorded event does; but an event recorded again forgets its first place.", nearly,
     "marker, clEnqueueMarker, cuEventRecord, cudaEventRecordWithFlags",
     {{"backends/opencl/run.cpp", "shared_->queue.enqueueMarkerWithWaitList(nullptr, &before);"},
      {"backends/cuda/run.cpp",
       "CHECK(*context_, cudaEventRecord(context_->start(), context_->stream()));"}}},
    {"clEnqueueBarrierWithWaitList", "cudaStreamWaitEvent",
     "Both hold back all that comes later in one queue; neither is the kernel's barrier(), "
     "which joins the items of one group.", nearly,
     "queue barrier, clEnqueueBarrier, clEnqueueWaitForEvents, cuStreamWaitEvent",
     {{"backends/opencl/run.cpp",
       "if (!joined.empty()) queue(0).enqueueBarrierWithWaitList(&joined);"},
      {"backends/cuda/run.cpp", "cudaStreamWaitEvent(context_.stream(), joined_[i].get(), 0)"}}},
    {"event_wait_list", "cudaStreamWaitEvent",
     "In OpenCL one command waits for the events of its list, in CUDA the whole stream does, "
     "and an event that was never recorded holds it back not at all.", nearly,
     "wait list, dependency, dependencies, num_events_in_wait_list, "
     "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CL_INVALID_EVENT_WAIT_LIST, "
     "cudaEventWaitDefault",
     {{"backends/opencl/run.cpp", "waits.push_back(ended.at(other));"},
      {"backends/cuda/run.cpp", "cudaStreamWaitEvent(stream, ended_[other].get(), 0)"}}},
    {"clFinish", "cudaStreamSynchronize",
     "Both stop the host thread until one queue is empty, so time between two of them has the "
     "round trip in it.", same, "finish, cuStreamSynchronize, host wait, blocking wait",
     {{"backends/opencl/run.cpp", "clFinish(shared_->queue());"},
      {"backends/cuda/context.cpp", "cudaStreamSynchronize(stream_);"}}},
    {"clFinish for every queue", "cudaDeviceSynchronize",
     "cudaDeviceSynchronize waits for all streams of the device, those of other libraries too; "
     "OpenCL has no call for more than one queue.", nearly,
     "cuCtxSynchronize, wait for everything"},
    {"clFlush", "",
     "An OpenCL command that waits for another queue's event may wait for ever until that queue "
     "is flushed or a blocking call does it; CUDA's calls submit what they enqueue by "
     "themselves.", none, "flush, submit, batching",
     {{"backends/opencl/run.cpp", "queue(0).flush();"}}},
    {"clWaitForEvents", "cudaEventSynchronize",
     "clWaitForEvents takes a list and flushes the queues, cudaEventSynchronize takes one event "
     "and spins on the host unless it was made with cudaEventBlockingSync.", nearly,
     "cudaSetDeviceFlags, cudaDeviceScheduleBlockingSync, wait for event, cl::WaitForEvents, "
     "cl::Event::wait, cuEventSynchronize, cudaEventBlockingSync",
     {{"backends/cuda/run.cpp", "cudaEventSynchronize(context_->stop())"}}},
    {"CL_EVENT_COMMAND_EXECUTION_STATUS", "cudaEventQuery, cudaStreamQuery",
     "cudaErrorNotReady is an answer and no failure, and in OpenCL a negative status is the "
     "error code of the command itself.", nearly,
     "poll, polling, event status, clGetEventInfo, cuEventQuery, cuStreamQuery, "
     "cudaErrorNotReady, CL_COMPLETE, CL_RUNNING, CL_SUBMITTED, CL_QUEUED"},
    {"clSetEventCallback", "cudaLaunchHostFunc, cudaStreamAddCallback",
     "An OpenCL queue goes on while the callback runs, a CUDA stream waits for it; neither may "
     "call what blocks, CUDA's may call nothing of CUDA at all, and cudaStreamAddCallback is to "
     "be deprecated.", nearly,
     "callback, event callback, CUstreamCallback"},
    {"", "CUDA_LAUNCH_BLOCKING=1",
     "Each of CUDA's launches waits for its end then, so that an error comes back from the call "
     "that made it; OpenCL has no such variable: call clFinish behind each launch.", none,
     "CUDA_LAUNCH_BLOCKING, synchronous launch, which kernel failed"},
    {"", "cudaProfilerStart, cudaProfilerStop",
     "They tell NVIDIA's tools where to look, and NVTX names ranges for them; OpenCL has no calls "
     "for that, but events have times, and the Intercept Layer for OpenCL Applications shows them.",
     none,
     "NVTX, nvtxRangePush, nsys, Nsight, profiler, ncu, nvprof, Nsight Compute, Nsight Systems, "
     "cliloader"},
    {"clCreateUserEvent", "cuStreamWaitValue32",
     "An event that the host completes by hand exists in OpenCL alone; in CUDA's driver API a "
     "stream can wait for a word of memory to change.", nearly,
     "user event, clSetUserEventStatus, cl::UserEvent, cuStreamWriteValue32"},
    {"clGetEventProfilingInfo", "cudaEventElapsedTime",
     "START to END is the command alone, and a pair of CUDA events around one launch has the "
     "gap before it in it, so take a batch between two markers on both sides.", nearly,
     "profiling, timing, time, timestamps, getProfilingInfo, CL_PROFILING_COMMAND_*, "
     "CL_PROFILING_INFO_NOT_AVAILABLE, cuEventElapsedTime, measure, benchmark",
     {{"backends/opencl/run.cpp", "return event.getProfilingInfo<CL_PROFILING_COMMAND_END>();"},
      {"backends/cuda/run.cpp",
       "cudaEventElapsedTime(&milliseconds, context_->start(), context_->stop())"}}},
    {"time in nanoseconds, cl_ulong", "time in milliseconds, float",
     "OpenCL gives whole nanoseconds of one clock, CUDA a float of milliseconds between two "
     "events, whose 24 bits are coarse over long spans.", nearly,
     "nanoseconds, milliseconds, unit of time, cl_ulong",
     {{"backends/opencl/run.cpp", "return 1e-9 * (to < from ? -nanoseconds : nanoseconds);"},
      {"backends/cuda/run.cpp", "elapsed.device = 1e-3 * static_cast<double>(milliseconds);"}}},
    {"clGetDeviceAndHostTimer", "",
     "OpenCL 2.1 can set the device's clock beside the host's, which 3.0 leaves to the driver; in "
     "CUDA a kernel reads clock64() or PTX's %globaltimer, and only CUPTI relates times of the "
     "device to the host's.", none,
     "device timer, host timer, clGetHostTimer, clock64, globaltimer, clock synchronisation, "
     "CUPTI, clock_read_device, __nanosleep"},
    {"CL_QUEUE_PROFILING_ENABLE", "cudaEventDisableTiming",
     "Times are asked for when an OpenCL queue is made, which makes each launch a little "
     "slower; CUDA's events keep time unless they are told not to.", nearly,
     "cl::QueueProperties::Profiling, profiling overhead",
     {{"backends/opencl/run.cpp", "how_.profiling ? CL_QUEUE_PROFILING_ENABLE : 0;"},
      {"backends/cuda/context.cpp", "cudaEventCreateWithFlags(&event, cudaEventDisableTiming)"}}},
    {"blocking_write CL_TRUE or CL_FALSE",
     "cudaMemcpy of the default stream, or cudaMemcpyAsync",
     "CL_FALSE leaves the host's memory in use until the event ends; cudaMemcpyAsync overlaps only "
     "with page-locked memory (other memory goes through a staging copy), and "
     "cudaStreamSynchronize behind it makes the blocking copy of a stream.",
     nearly,
     "CL_TRUE, CL_FALSE, CL_BLOCKING, CL_NON_BLOCKING, blocking, non-blocking, asynchronous, "
     "asynchronous copy, cudaMemcpy, asyncEngineCount, copy engine",
     {{"backends/opencl/run.cpp", "enqueueWriteBuffer(buffer_of(*copy.target).whole(), CL_FALSE"},
      {"backends/cuda/run.cpp",
       "cudaMemcpyAsync(copy.target, copy.source, copy.bytes, copy.kind, stream)"}}},
    {"clCreateCommandBufferKHR", "cudaStreamBeginCapture, cudaGraphCreate",
     "OpenCL's command buffers are an extension (cl_khr_command_buffer) that few drivers have; "
     "CUDA's graphs are made node by node or captured from a stream.", nearly,
     "cudaGraph*, cudaStreamEndCapture, cudaStreamIsCapturing, cudaStreamGetCaptureInfo, graph, "
     "CUDA graph, cudaGraph_t, cl_khr_command_buffer, command buffer, "
     "clCommandNDRangeKernelKHR, launch overhead"},
    {"clFinalizeCommandBufferKHR", "cudaGraphInstantiate",
     "From here on nothing can be added; CUDA's graph stays and the instance is another object, "
     "whose nodes can be updated.", nearly,
     "cuGraphInstantiate, cudaGraphExec_t, cudaGraphExecUpdate, instantiate a graph"},
    {"clEnqueueCommandBufferKHR", "cudaGraphLaunch",
     "All recorded commands go with one call; by default OpenCL lets a command buffer be under "
     "way only once at a time, and CUDA puts launches of one instance in order.", nearly,
     "cuGraphLaunch, launch a graph, replay"},
};

}  // namespace parallax::row_lists
