#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The layout solver beside Kiwi (Debian's python3-kiwisolver) on random systems, or the time of both.

  compare.py PROGRAM [--count 10100] [--seed 1]
  compare.py PROGRAM --times

PROGRAM is layout-bench, a product of the package. Both solve the same systems. What a solution costs, the sum of
violations times weights, is computed here from the values of each, by one formula. Exit status 1 if a cost is higher
than Kiwi's, if a required constraint does not hold, if other constraints are named as contradictory, or if nothing was
compared. With --times it prints rows of four fields with "|" between: what, figure, goal, remark.
"""
import argparse
import json
import random
import statistics
import subprocess
import sys
import time

try:
    import kiwisolver
except ImportError:
    sys.exit("compare: error: no module kiwisolver\n"
             "compare: hint: scripts/setup layout, and start this with /usr/bin/python3")

REQUIRED = 1000
TIMED = ((83, "≤ 0.5 ms"), (312, ""), (600, "≤ 10 ms"), (1200, ""))
# Violations of required constraints, in points, and differences of costs, relative, that rounding explains.
HOLDS, SAME = 1e-6, 1e-6
# Violations below this part of the largest value are rounding: times a weight of 10^8 they would count as a cost.
ROUNDING = 1e-11
COEFFICIENTS = (1, 1, 1, 1, -1, -1, -1, 2, -2, 0.5, -0.5, 1 / 3, 1.5, 0.1, -3)
PRIORITIES = (1, 50, 250, 250, 251, 500, 749, 750, 750, 999)


def weight(priority):
    return 10 ** (priority / 125)


def number(kind, numbers):
    """A constant: one of few where ties and degenerate corners are wanted."""
    if kind == "tied":
        return numbers.choice((0, 0, 10, -10, 20))
    return numbers.randint(-200, 200) / numbers.choice((1, 1, 2, 3))


def random_system(numbers):
    """Rows of relation, priority, constant, and variable and coefficient of each term."""
    kind = numbers.choice(("small", "small", "tied", "tied", "wide", "chain"))
    variables = numbers.randint(1, 6) if kind in ("small", "tied") else numbers.randint(6, 30)
    count = numbers.randint(1, 3 * variables + 3)
    share = numbers.choice((0.1, 0.3, 0.5, 0.8))
    rows = []
    for _ in range(count):
        if kind == "chain":
            first = numbers.randrange(variables)
            terms = [first, 1, max(0, first - numbers.randint(1, 3)), -numbers.choice((1, 1, 1, 0.5, 2))]
        else:
            terms = [part for _ in range(numbers.randint(1, 4 if kind == "wide" else 3))
                     for part in (numbers.randrange(variables), numbers.choice(COEFFICIENTS))]
        priority = REQUIRED if numbers.random() < share else numbers.choice(PRIORITIES)
        rows.append([numbers.choice((-1, 0, 0, 1)), priority, number(kind, numbers), *terms])
    return rows


def violation(row, values):
    value = row[2] + sum(values[row[at]] * row[at + 1] for at in range(3, len(row), 2))
    return {-1: max(0, value), 0: abs(value), 1: max(0, -value)}[row[0]]


def cost(rows, values):
    rounding = ROUNDING * max(1, *map(abs, values))
    violations = [(weight(row[1]), violation(row, values)) for row in rows if row[1] < REQUIRED]
    return sum(weight * violated for weight, violated in violations if violated > rounding)


def worst(rows, values, left_out):
    return max((violation(row, values) for index, row in enumerate(rows)
                if row[1] >= REQUIRED and index not in left_out), default=0)


def constraints_of(rows):
    count = 1 + max(row[at] for row in rows for at in range(3, len(row), 2))
    variables = [kiwisolver.Variable(str(index)) for index in range(count)]
    made = []
    for row in rows:
        sums = [kiwisolver.Term(variables[row[at]], row[at + 1]) for at in range(3, len(row), 2)]
        strength = "required" if row[1] >= REQUIRED else weight(row[1])
        expression = kiwisolver.Expression(sums, row[2])
        made.append(kiwisolver.Constraint(expression, {-1: "<=", 0: "==", 1: ">="}[row[0]], strength))
    return variables, made


def kiwi(rows, attempt=0):
    """The values of Kiwi, and the required constraints that contradict earlier ones.

    Each attempt adds the other constraints in another order, which changes nothing of the least cost.
    """
    variables, made = constraints_of(rows)
    solver, kept, left_out = kiwisolver.Solver(), [], []
    for index, row in enumerate(rows):
        if row[1] < REQUIRED:
            continue
        try:
            solver.addConstraint(made[index])
            kept.append(made[index])
        except kiwisolver.UnsatisfiableConstraint:
            left_out.append(index)
            # A refused constraint leaves Kiwi's tableau changed.
            solver = kiwisolver.Solver()
            for constraint in kept:
                solver.addConstraint(constraint)
    preferences = [made[index] for index, row in enumerate(rows) if row[1] < REQUIRED]
    random.Random(attempt).shuffle(preferences)
    for constraint in preferences:
        solver.addConstraint(constraint)
    solver.updateVariables()
    return [variable.value() for variable in variables], left_out


def answer_as_kiwi(attempt):
    """Reads systems and prints what Kiwi makes of each: the other end of `all_of_kiwi`."""
    for line in sys.stdin:
        print(json.dumps(kiwi(json.loads(line), attempt)), flush=True)


def all_of_kiwi(systems, attempt=0):
    """What Kiwi makes of each system; None where it ended its process in each of ten attempts.

    "The objective is unbounded" is what it says then, which no sum of violations can be.
    """
    results = []
    while len(results) < len(systems):
        lines = "".join(json.dumps(rows) + "\n" for rows in systems[len(results):])
        done = subprocess.run([sys.executable, __file__, "--as-kiwi", str(attempt)], input=lines, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        results += [json.loads(line) for line in done.stdout.splitlines()]
        if done.returncode:
            results.append(None)
    failed = [index for index, result in enumerate(results) if result is None]
    if failed and attempt < 9:
        for index, result in zip(failed, all_of_kiwi([systems[index] for index in failed], attempt + 1), strict=True):
            results[index] = result
    return results


def kiwi_microseconds(rows):
    variables, made = constraints_of(rows)
    times = []
    while len(times) < 7 or sum(times) < 200_000:
        start = time.perf_counter()
        solver = kiwisolver.Solver()
        for constraint in made:
            solver.addConstraint(constraint)
        solver.updateVariables()
        times.append((time.perf_counter() - start) * 1e6)
    return statistics.median(times)


def run(program, command, systems):
    lines = "".join(json.dumps(rows) + "\n" for rows in systems)
    done = subprocess.run([program, command], input=lines, text=True, stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def compare(program, systems):
    """Prints what differs and a summary; the number of faults, which is 1 where nothing was compared."""
    faults = contradictory = better = pivots = compared = 0
    largest = furthest = kiwi_furthest = 0
    everything = zip(systems, run(program, "solve", systems), all_of_kiwi(systems), strict=True)
    for number, (rows, ours, theirs) in enumerate(everything):
        if theirs is None:
            continue
        compared += 1
        values, left_out = theirs
        own, other = cost(rows, ours["values"]), cost(rows, values)
        difference = (own - other) / max(1, abs(other))
        broken = worst(rows, ours["values"], ours["unsatisfied"])
        kiwi_broken = worst(rows, values, left_out)
        contradictory += bool(left_out)
        pivots = max(pivots, ours["pivots"])
        wrong = [text for text, holds in (
            (f"left out {ours['unsatisfied']}, Kiwi {left_out}", ours["unsatisfied"] == left_out),
            (f"cost {own}, Kiwi {other} with {kiwi_broken} off", difference <= SAME),
            (f"a required constraint is off by {broken}", broken <= HOLDS),
            ("not solved to the end", ours["isOptimal"])) if not holds]
        if wrong:
            faults += 1
            print(f"system {number}: {'; '.join(wrong)}: {json.dumps(rows)}")
        if difference < -SAME:
            better += 1
            print(f"system {number}: Kiwi's cost is higher: {own}, Kiwi {other}; Kiwi off by {kiwi_broken}")
        else:
            largest = max(largest, abs(difference))
        furthest, kiwi_furthest = max(furthest, broken), max(kiwi_furthest, kiwi_broken)
    print(f"{len(systems)} systems, {compared} compared, Kiwi ended its process in the others; {contradictory} with "
          f"contradictions; {faults} faults; largest relative difference of costs {largest:.1e}, Kiwi's higher in "
          f"{better}; required constraints off by {furthest:.1e} at most, Kiwi's by {kiwi_furthest:.1e}; {pivots} "
          "exchanges at most")
    # A comparison of nothing shows nothing.
    return faults or not compared


def show_times(program):
    print("layout: one solution from nothing|||trees of views, medians of three; Kiwi through Python builds its own of each")
    for count, goal in TIMED:
        lines = [subprocess.run([program, "tree", str(count), str(seed)], text=True, stdout=subprocess.PIPE,
                                check=True).stdout for seed in (1, 2, 3)]
        systems = [json.loads(line) for line in lines]
        ours = statistics.median(run(program, "time", systems))
        kiwis = statistics.median(kiwi_microseconds(whole(rows)) for rows in systems)
        print(f"  {count} constraints|{ours / 1000:.2f} ms|{goal}|{ours / kiwis:.2f} × of Kiwi: {kiwis / 1000:.2f} ms")


def whole(rows):
    """Rows whose variables are whole numbers, which Python's indices have to be."""
    return [[*row[:3], *(int(part) if at % 2 == 0 else part for at, part in enumerate(row[3:]))] for row in rows]


def trees(program, count):
    """Trees of views as systems."""
    lines = [subprocess.run([program, "tree", str(20 + 7 * seed % 150), str(seed)], text=True, stdout=subprocess.PIPE,
                            check=True).stdout for seed in range(count)]
    return [whole(json.loads(line)) for line in lines]


def main():
    if sys.argv[1:2] == ["--as-kiwi"]:
        return answer_as_kiwi(int(sys.argv[2]))
    parser = argparse.ArgumentParser(usage="compare.py PROGRAM [--count 10100] [--seed 1] [--times]")
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=10_100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--times", action="store_true")
    options = parser.parse_args()
    if options.times:
        return show_times(options.program)
    numbers = random.Random(options.seed)
    random_count = options.count - options.count // 20
    systems = [random_system(numbers) for _ in range(random_count)] + trees(options.program, options.count // 20)
    faults = compare(options.program, systems)
    sys.exit(1 if faults else 0)


main()
