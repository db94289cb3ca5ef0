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
import walk  # noqa: E402

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


WALK_SOURCES = {
    "Desk.swift": "final class Desk { let board = Board()\nfunc take() { board.put { self.note() }\nboard.count(1) }\n"
                  "func note() {}\nfunc close() {} }",
    "Board.swift": "struct Board { func put(_ body: () -> Void) { body(); _ = Entry(1) }\nfunc count(_ one: Int) {} }",
    "Entry.swift": "struct Entry { init(_ number: Int) {}\nvar json: String { text } }\nstruct Other { }",
    "Locking/Locked.swift": "final class Locked {}",
}
WALK = """\
aside | Locking | a mutex
# A comment.
in | event | Desk.swift | take | keeps it
in | call | Board.swift | put
in | callback | Desk.swift | note | notes it
in | return | Board.swift | put | goes on
in | call | Entry.swift | Entry.init | is made
in | return | Desk.swift | take
in | call | Board.swift | count | counts
"""


class Walks(unittest.TestCase):
    """The walk of a push is held against the sources, and counted."""

    def read(self, text=WALK, **changes):
        code = {**WALK_SOURCES, **{name.replace("_", "."): code for name, code in changes.items()}}
        return walk.read(text, {name: swift.blank(code) for name, code in code.items() if code is not None})

    def refused(self, text=WALK, **changes):
        with self.assertRaises(walk.Broken) as failure:
            self.read(text, **changes)
        return str(failure.exception).splitlines()

    def test_a_step_that_does_nothing_is_no_visit(self):
        steps, _ = self.read()
        self.assertEqual((len(steps), [step.line for step in steps if step.does]), (7, [3, 5, 6, 7, 9]))

    def test_a_file_that_is_called_at_work_and_one_that_is_called_once_more_are_there_and_back(self):
        _, returned = self.read()
        self.assertEqual([(step.line, why) for step, why in returned],
                         [(5, "while it is at work, by Board.swift"), (9, "once more, by Desk.swift")])

    def test_a_file_further_up_in_the_same_call_is_at_work(self):
        text = "in|event|Desk.swift|take\nin|call|Board.swift|put\nin|call|Entry.swift|Entry.init\n"
        self.assertEqual(self.read(text)[1], [])
        self.assertEqual([step.line for step, _ in self.read(text + "in|callback|Desk.swift|note")[1]], [4])

    def test_an_event_is_no_part_of_the_call_that_waits_for_it(self):
        text = "in|event|Desk.swift|take\nin|await|Board.swift|put\nin|event|Entry.swift|Entry.init\n"
        steps, returned = self.read(text + "in|callback|Desk.swift|note\nin|return|Entry.swift|var json\n"
                                    "in|return|Board.swift|put\nin|return|Desk.swift|take")
        self.assertEqual((len(steps), returned), (7, []))

    def test_what_does_not_wait_has_returned_when_something_else_happens(self):
        text = "in|event|Desk.swift|take\nin|call|Board.swift|put\nin|event|Entry.swift|Entry.init\n"
        self.assertEqual(self.refused(text + "in|return|Board.swift|put"),
                         ["4: nothing returns into Board.swift, which has called nothing"])

    def test_a_file_or_a_function_that_is_gone_is_named_with_its_line(self):
        self.assertEqual(self.refused(Entry_swift=None), ["7: no file Sources/Entry.swift"])
        self.assertEqual(self.refused(Desk_swift="func take() { put(); count() }\nlet note = 1 // func note()"),
                         ["5: Desk.swift has no note"])
        self.assertEqual(self.refused(Entry_swift="struct Entry {}\nstruct Other { init() {} }"),
                         ["7: Entry.swift has no Entry.init"])
        self.assertEqual(self.refused(WALK.replace("Entry.init", "var text"))[0], "7: Entry.swift has no var text")

    def test_a_caller_names_what_it_calls(self):
        for caller in ("func put() {}", "func put() {} // Entry(1)", "func put() {}\nlet entry: Entry"):
            self.assertEqual(self.refused(Board_swift=caller + "\nfunc count() {}"),
                             ["7: Board.swift does not name Entry.init, which it is to call"], caller)
        self.assertEqual(self.refused(Desk_swift="func take() { put(count: 1) }\nfunc note() {}\nfunc count() {}"),
                         ["9: Desk.swift does not name count, which it is to call"])

    def test_what_is_left_aside_is_there_and_is_no_step(self):
        self.assertEqual(self.refused(WALK.replace("Locking", "Locks")), ["1: nothing is at Locks"])
        self.assertEqual(self.refused(WALK.replace("aside | Locking", "aside | Entry.swift")),
                         ["7: Entry.swift is left aside"])

    def test_a_line_of_another_form_is_named(self):
        for line in ("in | call | Desk.swift", "out | call | Desk.swift | take", "in | calls | Desk.swift | take",
                     "in | call | Desk.swift | take |", "aside | Locking"):
            self.assertEqual([fault.split(":")[0] for fault in self.refused(WALK + line)], ["10"], line)

    def test_a_walk_begins_with_an_event_and_changes_files_by_a_call(self):
        self.assertEqual(self.refused("in|call|Desk.swift|take"), ["1: a call comes from another file"])
        self.assertEqual(self.refused("in|event|Desk.swift|take\nin|callback|Desk.swift|note"),
                         ["2: a callback comes from another file"])

    def test_the_walk_of_this_checkout_is_that_of_its_sources(self):
        visits, back = measures.path_of_a_push(measures.Checkout(SCRIPTS.parent))
        self.assertEqual(len([leg for leg in visits.where if " visits in " in leg]), len(walk.LEGS))
        self.assertEqual(len(back.where), back.now + 1)


class Bars(unittest.TestCase):
    """The bars that this checkout holds."""

    def test_types_and_circles_of_this_checkout_are_within_their_bars(self):
        checkout = measures.Checkout(SCRIPTS.parent)
        held = [measures.widest_type(checkout), measures.open_state(checkout),
                measures.largest_circle(checkout, "Ingress", 5),
                measures.largest_circle(checkout, "WorkerSupervisor", 0)]
        self.assertEqual([(one.name, one.now, one.where[:1]) for one in held if not one.holds], [])


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

    def test_the_walk_of_a_push_is_counted_or_refused_with_its_line(self):
        for name, code in WALK_SOURCES.items():
            self.plant(f"Sources/{name}" if "/" in name else f"Sources/Path/{name}", code)
        self.plant(measures.WALK, WALK.replace(".swift", "").replace(" Desk ", " Path/Desk.swift ")
                   .replace(" Board ", " Path/Board.swift ").replace(" Entry ", " Path/Entry.swift "))
        run = self.run_script("figures", "--where")
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertRegex(run.stdout, r"(?m)^files visited on the path of a push, in turn +\| +5 \| 80$")
        self.assertRegex(run.stdout, r"(?m)^there-and-back on that path +\| +2 \| 10$")
        self.assertIn("    ingress in: 5 visits in 7 steps, 3 files\n", run.stdout)
        self.assertIn("    most: Desk.swift 2, Board.swift 2, Entry.swift 1\n", run.stdout)
        (self.root / "Sources/Path/Entry.swift").unlink()
        run = self.run_script("figures")
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertIn(f"figures: error: {measures.WALK}:7: no file Sources/Path/Entry.swift\n", run.stderr)
        self.assertIn("figures: hint: ", run.stderr)

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

    def test_a_long_comment_is_a_breach(self):
        self.plant("Sources/Sinks/b.swift", f"// SPDX\n\n// {'a ' * 58}\n    /// {'b' * 200}\n/// {'c ' * 60}\n")
        run = self.run_script("check-comments")
        self.assertEqual((run.returncode, run.stdout), (
            1, "Sources/Sinks/b.swift:5 a comment has 124 columns: break it at 120\n"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *(["-q"] if "--quiet" in sys.argv else [])])
