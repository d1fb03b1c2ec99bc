# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# A project with two records for the tests of scoring: a function of
# halves.py, and the file of doubles.py (whose function has no docstring).

scoring_project() { # DIR
	git init -q -b main "$1" && (
		cd "$1" &&
		mkdir tests &&
		cp "$test_source/tests/unit/licences/mit.txt" LICENSE &&
		printf 'def half(n):\n    """Return half of n, rounded down."""\n    return n / 2\n' >halves.py &&
		printf 'FACTOR = 3\n\n\ndef double(n):\n    return FACTOR * n\n' >doubles.py &&
		cat >tests/test_halves.py <<-\E &&
		from halves import half


		def test_even():
		    assert half(4) == 2


		class TestMore:
		    def test_zero(self):
		        assert half(0) == 0

		    def test_six(self):
		        assert half(6) == 3
		E
		printf 'from doubles import double\n\n\ndef test_zero():\n    assert double(0) == 0\n' >tests/test_doubles.py &&
		git add -A && test_tick && git commit -q -m Begin &&
		sed -i 's|n / 2|n // 2|' halves.py &&
		printf '\n\ndef test_odd():\n    assert half(5) == 2\n' >>tests/test_halves.py &&
		git add -A && test_tick && git commit -q -m 'Fix halves of odd numbers' &&
		sed -i 's|= 3|= 2|' doubles.py &&
		printf '\n\ndef test_double():\n    assert double(4) == 8\n' >>tests/test_doubles.py &&
		git add -A && test_tick && git commit -q -m 'Fix doubles'
	)
}

# In the present folder: project, w, rel, and records (JSON Lines).
scoring_release() {
	scoring_project project &&
	goldset -C w build project --as acme/numbers -o rel &&
	goldset --json query rel 'from oracles' >records
}
