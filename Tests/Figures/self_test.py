# SPDX-License-Identifier: Apache-2.0
"""Tests scripts/figures and scripts/check-comments with planted sources.

  python3 Tests/Figures/self_test.py
"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SCRIPTS = HERE.parent.parent / "scripts"
sys.path.insert(0, str(HERE))
sys.dont_write_bytecode = True
import comments  # noqa: E402
import graph  # noqa: E402
import markdown  # noqa: E402
import measures  # noqa: E402
import swift  # noqa: E402

SUPERVISOR = """\
/// Keeps workers.
actor WorkerSupervisor {
    let loop: Loop
    private let clock = Clock()
    private(set) var seen: [String: Int] = [:]
    var count = 0 {
        didSet { seen = [:] }
    }
    static let most = 3
    var isIdle: Bool { count == 0 }
    var onEnd: @Sendable () -> Void = { }
    fileprivate var other: Int
    func run() { let local = 1; _ = local }
}
"""


class Reading(unittest.TestCase):
    """Swift is read without a compiler."""

    def test_comments_and_texts_hold_no_code(self):
        code = swift.blank('a // B {\n/* C { /* D */ { */ b "E { \\"F" c #"G " \\(H)"# d """\n I {\n""" e')
        self.assertEqual(swift.NAME.findall(code), [])
        self.assertNotIn("{", code)
        self.assertEqual([letter for letter in code if letter in "abcde"], list("abcde"))
        self.assertEqual(code.count("\n"), 3)

    def test_an_interpolation_is_code(self):
        self.assertEqual(swift.NAME.findall(swift.blank('"a \\(B("C)") + D) E"; F')), ["B", "D", "F"])

    def test_nested_types_have_full_names(self):
        code = "struct A { enum B { case c }; final class D {} } extension A.B: E { struct F {} } typealias G = A"
        self.assertEqual([row[:2] for row in swift.declarations(code)],
                         [("enum", "A.B"), ("class", "A.D"), ("struct", "A"), ("struct", "A.B.F"),
                          ("extension", "A.B"), ("typealias", "G")])

    def test_an_import_of_a_type_declares_none(self):
        self.assertEqual(swift.declarations("package import struct Foundation.Date\nenum A {}"), [("enum", "A", "")])

    def test_computed_and_static_properties_are_not_stored(self):
        body = swift.declarations(swift.blank(SUPERVISOR))[0][2]
        self.assertEqual([name for _, name in swift.stored_properties(body)],
                         ["loop", "clock", "seen", "count", "onEnd", "other"])


class Circles(unittest.TestCase):
    def test_two_files_that_name_each_other_are_a_circle(self):
        needed = graph.arrows({"a": "struct A { let b: B }", "b": "struct B { let a: A? }", "c": "let a: A"})
        self.assertEqual(needed, {"a": {"b"}, "b": {"a"}, "c": {"a"}})
        self.assertEqual(graph.circles(needed), [["a", "b"]])

    def test_a_way_without_return_is_none(self):
        self.assertEqual(graph.circles({"a": {"b", "c"}, "b": {"c"}, "c": set()}), [])

    def test_circles_that_share_a_file_are_one(self):
        needed = {"a": {"b"}, "b": {"a", "c"}, "c": {"b"}, "d": {"e"}, "e": {"d"}}
        self.assertEqual(graph.circles(needed), [["a", "b", "c"], ["d", "e"]])

    def test_a_name_of_ones_own_leads_nowhere(self):
        self.assertEqual(graph.arrows({"a": "enum A { enum State {}; let s: State }", "b": "enum B { enum State {} }"}),
                         {"a": set(), "b": set()})


class Comments(unittest.TestCase):
    def test_only_the_first_line_opens_a_paragraph(self):
        text = "/// The length.\n/// Of all.\nlet a = 1\n    /// Of one.\n    let b = 2\n// Of no doc comment.\n"
        self.assertEqual(list(comments.fragments({"a": text})), [("a", 4, "Of")])

    def test_every_paragraph_of_a_comment_is_looked_at(self):
        text = "/// The length.\n///\n/// Nil for none.\n/// It counts.\n///\n/// A limit.\nlet a = 1\n/// What.\nlet b = 2\n"
        self.assertEqual(list(comments.fragments({"a": text})), [("a", 3, "Nil"), ("a", 8, "What")])

    def test_fragments_are_whole_words(self):
        for opening in ("Offers a port.", "`nil` means none.", "Assigns.", "Nile", "", "32 bytes."):
            self.assertIsNone(comments.fragment(opening), opening)
        for opening in ("Nil: none.", "Nil when none.", "Its port.", "As above.", "Whom to ask.", "Where it is.",
                        "Whether it is there.", "What is left.", "Why a run ended.", "That nobody asks."):
            self.assertIsNotNone(comments.fragment(opening), opening)


class Documents(unittest.TestCase):
    def test_tables_and_code_may_be_wide(self):
        wide = "x" * 121
        self.assertEqual(list(markdown.wide(f"| {wide}\n{wide}\n```\n{wide}\n```\n{wide[1:]}\n")), [(2, 121)])

    def test_words_in_code_do_not_count(self):
        self.assertEqual(markdown.words("# one two\n```\nthree\n```\nfour\n"), 4)


class Planted(unittest.TestCase):
    """The scripts, over a checkout of a few files."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        subprocess.run(["git", "init", "-q", folder.name], check=True)
        self.plant("Sources/WorkerSupervisor/WorkerSupervisor.swift", SUPERVISOR)

    def plant(self, name, text):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)

    def run_script(self, name, *options):
        return subprocess.run([SCRIPTS / name, *options, self.root], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)

    def test_extensions_count_for_the_type_that_they_extend(self):
        for number in range(5):
            self.plant(f"Sources/Other/{number}.swift", "import WorkerSupervisor\nextension WorkerSupervisor {}")
        self.plant("Sources/Third/a.swift", "extension WorkerSupervisor {}\nextension String {}")
        widest = measures.widest_type(measures.Checkout(self.root))
        self.assertEqual((widest.now, widest.holds), (6, False))
        self.assertTrue(widest.where[0].startswith("6 WorkerSupervisor.WorkerSupervisor: 0.swift, "), widest.where)

    def test_open_properties_are_those_that_other_files_reach(self):
        state = measures.open_state(measures.Checkout(self.root))
        self.assertEqual((state.now, state.where), (4, ["of 6: loop, seen, count, onEnd"]))

    def test_a_missed_bar_is_marked_and_fails_only_if_asked_to(self):
        run = self.run_script("figures")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertRegex(run.stdout, r"(?m)^stored properties of WorkerSupervisor that are not private +\| +4 \| 3 !$")
        self.assertRegex(run.stdout, r"(?m)^words of README\.md +\| +- \| 1200$")
        self.assertEqual(self.run_script("figures", "--strict").returncode, 1)
        self.plant("Sources/WorkerSupervisor/WorkerSupervisor.swift", "actor WorkerSupervisor {}")
        self.assertEqual(self.run_script("figures", "--strict").returncode, 0)

    def test_a_folder_without_git_is_an_error_with_a_hint(self):
        with tempfile.TemporaryDirectory() as other:
            run = subprocess.run([SCRIPTS / "figures", other], text=True, capture_output=True)
        self.assertEqual(run.returncode, 2)
        self.assertIn("figures: hint: FOLDER is a checkout of git", run.stderr)

    def test_a_fragment_is_a_breach(self):
        self.assertEqual(self.run_script("check-comments").returncode, 0)
        self.plant("Sources/Sinks/a.swift", "// SPDX\n\n/// Of a sink.\nlet a = 1\n")
        run = self.run_script("check-comments")
        self.assertEqual((run.returncode, run.stdout), (
            1, 'Sources/Sinks/a.swift:3 a doc comment opens with "Of": write a sentence that stands alone\n'))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *(["-q"] if "--quiet" in sys.argv else [])])
