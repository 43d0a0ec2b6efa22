# Tests the generator of kernels: reproducible for a seed, fully reduced, distinguished: generated_test.py JUDGE
import copy
import re
import sys
import unittest

import cxx
import generated
from grammar import file_of
from tree import File, Node, Range, Type, block, reduced


def whole(file):
    return file.text(range(len(file.kernels)))


def expression(level, pattern, parts=()):
    return Node(pattern, list(parts), True, level, Type(5), Range(0.0, 9999.0))


def file_with(*bodies):
    return File(1, [], [block([Node(body)]) for body in bodies])


class Generated(unittest.TestCase):
    def test_a_seed_and_a_number_give_the_same_file(self):
        texts = set()
        for number in range(10):
            self.assertEqual(whole(file_of(7, number, 4, True)), whole(file_of(7, number, 4, True)))
            texts |= {whole(file_of(seed, number, 4, True)) for seed in (7, 8)}
        self.assertEqual(len(texts), 20)

    def test_a_kernel_is_the_same_among_others_and_alone(self):
        file = file_of(3, 5, 6)
        for text in (file.text([4]), whole(file)):
            self.assertIn(str(file.kernels[4]), text)

    def test_cxx_is_the_same_for_a_seed_and_its_lines_are_those_of_its_kernels(self):
        file = cxx.file_of(7, 1, 4)
        self.assertEqual(whole(file), whole(cxx.file_of(7, 1, 4)))
        self.assertNotEqual(whole(file), whole(cxx.file_of(8, 1, 4)))
        lines = whole(file).split("\n")
        for k in range(4):
            begin = lines.index(f"namespace case_{k} {{") + 1
            self.assertEqual([file.kernel_at(range(4), begin + i) for i in (-1, 0, 1)], [k - 1 if k else None, k, k])

    def test_operators_bind_as_the_tree_says(self):
        a = expression("p", "a")
        total = expression("l", "$l- + $m-", [a, a])
        self.assertEqual(str(expression("m", "$m- * $n-", [total, a])), "(a + a) * a")
        self.assertEqual(str(expression("l", "$l- - $m-", [total, total])), "a + a - (a + a)")
        self.assertEqual(str(expression("o", "f($b-, $b-)", [total, a])), "f(a + a, a)")

    def test_a_kernel_is_reduced_to_what_shows_it(self):
        count = 0
        for number in range(40):
            file = file_of(4, number, 1)

            def shows(tried):
                return re.search(r"\bbitselect\b", str(tried.kernels[0]))
            if not shows(file):
                continue
            count += 1
            body = str(reduced(copy.deepcopy(file), shows, 1000).kernels[0])
            self.assertIn("bitselect", body)
            self.assertLessEqual(body.count("\n"), 10, body)
            self.assertLessEqual(len(body), 200, body)
        self.assertGreater(count, 1)

    def test_nothing_is_reduced_by_more_tries_than_are_allowed(self):
        tried = []
        reduced(file_of(4, 1, 1), tried.append, 3)
        self.assertEqual(len(tried), 3)


class OnDevices(unittest.TestCase):
    def judge(self, *devices):
        judge = generated.Judge(sys.argv[1], devices, 1)
        if not judge.start():
            self.skipTest(judge.end()[1])
        self.addCleanup(lambda: judge.judge and judge.judge.communicate())
        return judge

    def test_what_one_kernel_does_is_not_the_others(self):
        file = file_with("out[0] = in[0];\n", "out[0] = no_such_function(in[0]);\n", "out[1] = in[1] + 1;\n")
        [one] = self.judge("opencl:0", "host:0").judged(file, [0, 1, 2])
        self.assertEqual((one["kernel"], one["end"]), (1, "OpenCL does not compile"))
        self.assertIn("no_such_function", one["reason"])

    def test_what_has_no_way_back_from_cuda_is_counted_apart(self):
        file = file_with("out[0] = in[0] * 3u + rotate(in[1], 5u);\n", "out[1] = ilogb((float)in[0]);\n")
        findings = self.judge("opencl:0", "back").judged(file, [0, 1])
        self.assertEqual([(one["kernel"], one["end"]) for one in findings], 2 * [(1, generated.REFUSED_BACK)])
        self.assertIn("ilogb", findings[0]["reason"])

    def test_another_answer_is_a_difference_in_both_ways_and_is_reduced(self):
        judge = self.judge("opencl:0", "host:0")
        ask = judge.ask

        def altered(**request):
            if request["where"] == 1:
                request["source"] = request["source"].replace("4711", "4712")
            return ask(**request)
        judge.ask = altered
        total = expression("l", "$l- + $m-", [expression("p", "4711u"), expression("p", "1u")])
        file = file_with("out[0] = in[0];\n")
        file.kernels.append(block([Node("out[0] = in[0];\n"), Node("out[1] = $b-;\n", [total]),
                                   Node("out[2] = in[2];\n")]))
        findings = judge.judged(file, [0, 1])
        self.assertEqual([(one["kernel"], one["end"], one["expanded"]) for one in findings],
                         [(1, "differs", False), (1, "differs", True)])
        self.assertIn("out[1]", findings[0]["reason"])
        del file.kernels[0]
        self.assertIn("{\nout[1] = 4711u;\n}", judge.shown(file, findings[0]))

    def test_of_cxx_what_is_refused_is_no_others_and_a_wrong_translation_is_a_difference(self):
        judge = generated.CxxJudge(sys.argv[1], ["host:0", "opencl:0"], 1)
        if not judge.start():
            self.skipTest(judge.end()[1])
        self.addCleanup(lambda: judge.judge and judge.judge.communicate())
        bodies = ["out[0] = in[0] * 4711u;", "out[1] = [](unsigned p) { return p; }(in[1]);", "out[2] = missing;",
                  "out[3] = in[3];"]
        file = cxx.CxxFile(1, [block([Node("__device__ void run(const unsigned* in, unsigned* out) {\n"
                                           f"{body}\n}}\n")]) for body in bodies])
        findings = judge.judged(file, [0, 1, 2, 3])
        self.assertEqual(sorted((one["kernel"], one["end"]) for one in findings),
                         [(1, generated.REFUSED), (2, "CUDA does not compile")])
        ask = judge.ask

        def altered(**request):
            if request["where"] == 1:
                request["source"] = request["source"].replace("4711", "4712")
            return ask(**request)
        judge.ask = altered
        [one] = judge.judged(file, [0, 3])
        self.assertEqual((one["kernel"], one["end"]), (0, "differs"))

    def test_a_judge_that_dies_costs_one_kernel(self):
        judge = self.judge("opencl:0", "host:0")
        judge.judge.kill()
        with self.assertRaises(generated.Died):
            judge.judged(file_with("out[0] = 1;\n"), [0])
        self.assertEqual(judge.judged(file_with("out[0] = 1;\n"), [0]), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], warnings="ignore")
