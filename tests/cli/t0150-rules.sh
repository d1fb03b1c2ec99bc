#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
test_description='the rules of a record, case by case, in one repository'
. "$(dirname "$0")/lib.sh"
test_need box

# A case is a folder with what stands before its fix and what its fix brings:
#
#	begin NAME 'EXPECTATION' RULES
#	before PATH <<\E		a file of the first commit
#	after PATH <<\E			a file that the fix adds or changes
#
# EXPECTATION is "record GRANULARITY UNIT N" (N flipping ids) or
# "refused REASON". All cases share one history: the first commit holds every
# `before`, and then each case is one commit.
begin() {
	case=$1
	mkdir -p "cases/$case/before" "cases/$case/after"
	printf '%s\n' "$2" >"cases/$case/expect"
	printf '%s\n' "$3" >"cases/$case/rules"
	echo "$case" >>cases/list
}

put() {
	mkdir -p "cases/$case/$1/$(dirname "$2")"
	cat >"cases/$case/$1/$2"
}

before() { put before "$1"; }
after() { put after "$1"; }

mkdir cases

begin decorator 'record function cached 1' 'K3, F051'
before pkg/decorator.py <<\E
import functools


@functools.lru_cache(maxsize=1)
def cached(n):
    """Return a new list with n, the same one for the same n."""
    return [n]
E
after pkg/decorator.py <<\E
import functools


@functools.lru_cache(maxsize=None)
def cached(n):
    """Return a new list with n, the same one for the same n."""
    return [n]
E
after tests/test_decorator.py <<\E
from pkg.decorator import cached


def test_remembers_two():
    first = cached(1)
    cached(2)
    assert cached(1) is first and first == [1]
E

begin nested 'record function outer 1' 'K5, F054'
before pkg/nested.py <<\E
def outer(n):
    """Return n plus one."""

    def inner():
        return n

    return inner()
E
after pkg/nested.py <<\E
def outer(n):
    """Return n plus one."""

    def inner():
        return n + 1

    return inner()
E
after tests/test_nested.py <<\E
from pkg.nested import outer


def test_outer():
    assert outer(1) == 2
E

begin imported 'record file pkg.imported 1' 'K2, K5, F055'
before pkg/imported.py <<\E
def digits(text):
    """Return the digits of a text."""
    return text
E
after pkg/imported.py <<\E
import re


def digits(text):
    """Return the digits of a text."""
    return re.sub("[^0-9]", "", text)
E
after tests/test_imported.py <<\E
from pkg.imported import digits


def test_digits():
    assert digits("a1b2") == "12"
E

begin helper 'record file pkg.helper 1' 'K2, F057'
before pkg/helper.py <<\E
def tidy(text):
    """Return the text without blanks around it."""
    return text
E
after pkg/helper.py <<\E
def tidy(text):
    """Return the text without blanks around it."""
    return _tidy(text)


def _tidy(text):
    return text.strip()
E
after tests/test_helper.py <<\E
from pkg.helper import tidy


def test_tidy():
    assert tidy(" a ") == "a"
E

begin moved 'record file pkg.moved 1' 'K2, F056'
before pkg/moved.py <<\E
class A:
    def name(self):
        """Return the name."""
        return "a"


class B(A):
    pass
E
after pkg/moved.py <<\E
class A:
    pass


class B(A):
    def name(self):
        """Return the name."""
        return "b"
E
after tests/test_moved.py <<\E
from pkg.moved import B


def test_name():
    assert B().name() == "b"
E

begin asynchronous 'record function later 1' 'K3, F058'
before pkg/asynchronous.py <<\E
async def later(n):
    """Return twice n."""
    return n
E
after pkg/asynchronous.py <<\E
async def later(n):
    """Return twice n."""
    return 2 * n
E
after tests/test_asynchronous.py <<\E
import asyncio

from pkg.asynchronous import later


def test_later():
    assert asyncio.run(later(2)) == 4
E

begin lambda 'record file pkg.lambdas 1' 'K2, F058'
before pkg/lambdas.py <<\E
twice = lambda n: n
E
after pkg/lambdas.py <<\E
twice = lambda n: 2 * n
E
after tests/test_lambdas.py <<\E
from pkg.lambdas import twice


def test_twice():
    assert twice(2) == 4
E

begin property 'record function Box.size 1' 'K2: units of one name pair by their order'
before pkg/property.py <<\E
class Box:
    def __init__(self):
        self._size = 1

    @property
    def size(self):
        """The size, at least 0."""
        return self._size

    @size.setter
    def size(self, value):
        """The size, at least 0."""
        self._size = value
E
after pkg/property.py <<\E
class Box:
    def __init__(self):
        self._size = 1

    @property
    def size(self):
        """The size, at least 0."""
        return self._size

    @size.setter
    def size(self, value):
        """The size, at least 0."""
        self._size = max(value, 0)
E
after tests/test_property.py <<\E
from pkg.property import Box


def test_size():
    box = Box()
    box.size = -1
    assert box.size == 0
E

begin crlf 'record function half 1' 'S3, F059'
printf 'def half(n):\r\n    """Return half of n."""\r\n    return n\r\n\014\r\nX = "\342\200\250"' | before pkg/crlf.py
printf 'def half(n):\r\n    """Return half of n."""\r\n    return n / 2\r\n\014\r\nX = "\342\200\250"' | after pkg/crlf.py
after tests/test_crlf.py <<\E
from pkg.crlf import half


def test_half():
    assert half(4) == 2
E

begin latin1 'record function cafe 1' 'F061'
printf '# -*- coding: latin-1 -*-\ndef cafe():\n    """Return caf\351 in small letters."""\n    return "CAF\311"\n' | before pkg/latin1.py
printf '# -*- coding: latin-1 -*-\ndef cafe():\n    """Return caf\351 in small letters."""\n    return "caf\351"\n' | after pkg/latin1.py
after tests/test_latin1.py <<\E
from pkg.latin1 import cafe


def test_cafe():
    assert cafe() == "caf\xe9"
E

begin bom 'record function one 1' 'K3, F061'
printf '\357\273\277def one():\n    """Return 1."""\n    return 2\n' | before pkg/bom.py
printf '\357\273\277def one():\n    """Return 1."""\n    return 1\n' | after pkg/bom.py
after tests/test_bom.py <<\E
from pkg.bom import one


def test_one():
    assert one() == 1
E

begin nul 'refused binary source' 'F062'
printf 'X = "a\000b"\n' | before pkg/nul.py
printf 'X = "ab"\n' | after pkg/nul.py
after tests/test_nul.py <<\E
from pkg.nul import X


def test_x():
    assert X == "ab"
E

# The same of what the tests are in, and of any other Python on their side.
begin nultest 'refused binary source' 'W5, F062'
echo 'X = 1' | before pkg/nultest.py
echo 'X = 2' | after pkg/nultest.py
printf 'from pkg.nultest import X\nY = "a\000b"\n\n\ndef test_x():\n    assert X == 2\n' |
	after tests/test_nultest.py

begin largetest 'refused file too large' 'W5'
echo 'X = 1' | before pkg/largetest.py
echo 'X = 2' | after pkg/largetest.py
after tests/test_largetest.py <<\E
from pkg.largetest import X


def test_x():
    assert X == 2
E
{ echo '"""' && head -c 1100000 /dev/zero | tr '\000' x && echo '"""'; } |
	after tests/large_data.py

begin testing 'record function check 1' 'W4, F065'
before pkg/testing.py <<\E
def check(value):
    """Return whether the value is true."""
    return value
E
after pkg/testing.py <<\E
def check(value):
    """Return whether the value is true."""
    return bool(value)
E
after tests/test_testing.py <<\E
from pkg.testing import check


def test_check():
    assert check(1) is True
E

begin helpers_only 'refused no source change' 'W4, F065'
after tests/helpers.py <<\E
X = 1
E
after tests/test_helpers_only.py <<\E
def test_x():
    assert True
E

begin src_layout 'record function ten 1' 'S5, F069'
before src/inner/__init__.py <<\E
def ten():
    """Return 10."""
    return 11
E
after src/inner/__init__.py <<\E
def ten():
    """Return 10."""
    return 10
E
after tests/test_src_layout.py <<\E
from inner import ten


def test_ten():
    assert ten() == 10
E

begin same_names 'record file pkg.same_names 2' 'O3, F084'
before pkg/same_names.py <<\E
A = B = 1
E
after pkg/same_names.py <<\E
A = B = 2
E
after tests/one/test_same.py <<\E
from pkg.same_names import A


def test_a():
    assert A == 2
E
after tests/two/test_same.py <<\E
from pkg.same_names import B


def test_b():
    assert B == 2
E

begin permission 'record function read 1' 'S4, F086'
before pkg/permission.py <<\E
def read(path):
    """Return the text of a file, or None when it may not be read."""
    with open(path) as file:
        return file.read()
E
after pkg/permission.py <<\E
def read(path):
    """Return the text of a file, or None when it may not be read."""
    try:
        with open(path) as file:
            return file.read()
    except PermissionError:
        return None
E
after tests/test_permission.py <<\E
from pkg.permission import read


def test_read(tmp_path):
    path = tmp_path / "secret"
    path.write_text("x")
    path.chmod(0)
    assert read(path) is None


def test_plain(tmp_path):
    path = tmp_path / "plain"
    path.write_text("x")
    assert read(path) == "x"
E

begin surroundings 'record file pkg.surroundings 1' 'S4, F087, F106'
before pkg/surroundings.py <<\E
X = 1
E
after pkg/surroundings.py <<\E
X = 2
E
after tests/test_surroundings.py <<\E
import os
import pathlib
import time

from pkg.surroundings import X


def test_surroundings(capsys):
    assert time.strftime("%H", time.localtime(0)) == "00"
    print("\xe9")
    assert capsys.readouterr().out == "\xe9\n"
    assert os.listdir(pathlib.Path.home()) == []
    (pathlib.Path.home() / ".x").write_text("x")
    assert os.read(0, 1) == b""
    assert not [name for name in os.environ if name.startswith("GOLDSET")]
    assert os.getuid() != 0
    assert X == 2
E

begin killer 'refused crash after' 'O3, F092'
before pkg/killer.py <<\E
X = 1
E
after pkg/killer.py <<\E
X = 2
E
after tests/test_killer.py <<\E
import os
import signal

from pkg.killer import X


def test_x():
    assert X == 2


def test_kill():
    os.killpg(0, signal.SIGKILL)
E

begin crashing 'refused crash before' 'O3, F096'
before pkg/crashing.py <<\E
import os


def leave():
    """Return 1."""
    os.abort()
E
after pkg/crashing.py <<\E
def leave():
    """Return 1."""
    return 1
E
after tests/test_crashing.py <<\E
from pkg.crashing import leave


def test_leave():
    assert leave() == 1
E

begin leaving 'refused early exit before' 'O3, F096, F156'
before pkg/leaving.py <<\E
import os


def leave():
    """Return 1."""
    os._exit(0)
E
after pkg/leaving.py <<\E
def leave():
    """Return 1."""
    return 1
E
after tests/test_leaving.py <<\E
from pkg.leaving import leave


def test_leave():
    assert leave() == 1
E

begin daemon 'record function fine 1' 'S4, F091'
before pkg/daemon.py <<\E
def fine():
    """Return 1."""
    return 0
E
after pkg/daemon.py <<\E
def fine():
    """Return 1."""
    return 1
E
after tests/test_daemon.py <<\E
import os
import time

from pkg.daemon import fine


def test_fine():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            while True:
                time.sleep(0.1)
        os._exit(0)
    os.wait()
    assert fine() == 1
E

begin flood 'record function loud 1' 'S4, F095'
before pkg/flood.py <<\E
def loud():
    """Return 1."""
    return 0
E
after pkg/flood.py <<\E
def loud():
    """Return 1."""
    return 1
E
after tests/test_flood.py <<\E
import os

from pkg.flood import loud


def test_loud():
    for _ in range(2000):
        os.write(1, b"x" * 10000)
    assert loud() == 1
E

begin asking 'record function ask 1' 'S4, F093'
before pkg/asking.py <<\E
def ask():
    """Return what was typed, or "" when nobody is there."""
    return input()
E
after pkg/asking.py <<\E
def ask():
    """Return what was typed, or "" when nobody is there."""
    try:
        return input()
    except (EOFError, OSError):
        return ""
E
after tests/test_asking.py <<\E
from pkg.asking import ask


def test_ask():
    assert ask() == ""
E

begin stopping 'refused fails after' 'O2, F099'
before pkg/stopping.py <<\E
X = 1
E
after pkg/stopping.py <<\E
X = 2
E
after tests/test_stopping.py <<\E
import pytest

from pkg.stopping import X


def test_x():
    pytest.fail("never")
E

begin one_broken 'record function good 1' 'O3, F101'
before pkg/one_broken.py <<\E
def good():
    """Return 1."""
    return 0
E
after pkg/one_broken.py <<\E
def good():
    """Return 1."""
    return 1
E
after tests/test_one_broken.py <<\E
from pkg.one_broken import good


def test_good():
    assert good() == 1
E
after tests/test_other_broken.py <<\E
import pkg.nowhere
E

begin ordered 'refused order dependent' 'K1, F102'
before pkg/ordered.py <<\E
STATE = []


def use():
    """Return the state."""
    return []
E
after pkg/ordered.py <<\E
STATE = []


def use():
    """Return the state."""
    return STATE
E
after tests/test_ordered.py <<\E
from pkg.ordered import STATE, use


def test_a():
    STATE.append(1)


def test_b():
    assert use() == [1]
E

# The ids are given as they are published, b behind a: what leans on an earlier
# test of the file fails then, and is not published.
begin published_order 'record function answer 1' 'K1, F102'
before pkg/published.py <<\E
STATE = []


def answer():
    """Return the answer."""
    return 41
E
after pkg/published.py <<\E
STATE = []


def answer():
    """Return the answer."""
    return 42
E
after tests/test_published.py <<\E
from pkg.published import STATE, answer


def test_b():
    STATE.append(1)
    assert answer() == 42


def test_a():
    assert STATE and answer() == 42
E

begin hash_order 'refused flaky' 'K1, F103, F142'
before pkg/hash_order.py <<\E
def names():
    """Return the names."""
    return []
E
after pkg/hash_order.py <<\E
def names():
    """Return the names."""
    return list({"a", "b", "c", "d", "e", "f"})
E
after tests/test_hash_order.py <<\E
import os

from pkg.hash_order import names


def test_names():
    assert names() and os.environ["PYTHONHASHSEED"] == "0"
E

begin new_name 'refused name did not exist' 'O4, O5, F104'
before pkg/new_name.py <<\E
def old():
    """Return 1."""
    return 1
E
after pkg/new_name.py <<\E
def old():
    """Return 1."""
    return 1


def new():
    """Return 2."""
    return 2
E
after tests/test_new_name.py <<\E
from pkg.new_name import new, old


def test_old():
    assert old() == 1


def test_new():
    assert new() == 2
E

begin new_keyword 'refused name did not exist' 'O4, O5'
before pkg/new_keyword.py <<\E
def scale(n):
    """Return n, scaled."""
    return n
E
after pkg/new_keyword.py <<\E
def scale(n, factor=1):
    """Return n, scaled."""
    return n * factor
E
after tests/test_new_keyword.py <<\E
from pkg.new_keyword import scale


def test_scale():
    assert scale(2, factor=3) == 6
E

begin wandering 'record function stay 2' 'O1, F108'
before pkg/wandering.py <<\E
def stay():
    """Return 1."""
    return 0
E
after pkg/wandering.py <<\E
def stay():
    """Return 1."""
    return 1
E
after tests/test_wandering.py <<\E
import os

from pkg.wandering import stay


def test_away(tmp_path):
    os.chdir(tmp_path)
    os.rmdir(tmp_path)
    os.environ.clear()
    assert stay() == 1


def test_after():
    assert stay() == 1
E

begin data 'refused passes before' 'S1, F109'
before pkg/data.py <<\E
import pathlib


def load(path):
    """Return the bytes of a file."""
    return pathlib.Path(path).read_bytes()
E
after pkg/data.py <<\E
import pathlib


def load(path):
    """Return the bytes of a file."""
    path = pathlib.Path(path)
    return path.read_bytes()
E
printf '\000\377binary' | after tests/data/in.bin
after tests/test_data.py <<\E
import pathlib

from pkg.data import load


def test_load():
    assert load(pathlib.Path(__file__).parent / "data/in.bin")[0] == 0
E

begin ids 'record function name 11' 'O1, F111, F112, F113'
before pkg/ids.py <<\E
def name(text):
    """Return the text."""
    return None
E
after pkg/ids.py <<\E
def name(text):
    """Return the text."""
    return text
E
after tests/test_ids.py <<\E
import pytest

from pkg.ids import name


@pytest.mark.parametrize("text", ["sp ace", " - passed", "PASSED", "a::b",
    "a/b", "x[y]", "]", "", "new\nline", "\x1b[31m", "'; rm -rf x # $(id)"])
def test_name(text):
    assert name(text) == text
E

begin unstable 'refused unstable ids' 'K1, F114'
before pkg/unstable.py <<\E
X = 1
E
after pkg/unstable.py <<\E
X = 2
E
after tests/test_unstable.py <<\E
import pytest

from pkg.unstable import X


@pytest.mark.parametrize("thing", [object()], ids=repr)
def test_x(thing):
    assert X == 2
E

begin fixture 'refused failed outside the call before' 'O4, F119'
before pkg/fixture.py <<\E
X = 1
E
after pkg/fixture.py <<\E
X = 1
Y = 2
E
after tests/test_fixture.py <<\E
import pytest

import pkg.fixture


@pytest.fixture
def y():
    return pkg.fixture.Y


def test_y(y):
    assert y == 2
E

begin xfail 'record function fixed 1' 'O2, F120'
before pkg/xfail.py <<\E
def fixed():
    """Return 1."""
    return 0
E
after pkg/xfail.py <<\E
def fixed():
    """Return 1."""
    return 1
E
before tests/test_xfail.py <<\E
import pytest

from pkg.xfail import fixed


@pytest.mark.xfail
def test_fixed():
    assert fixed() == 1
E
after tests/test_xfail.py <<\E
import pytest

from pkg.xfail import fixed


def test_fixed():
    assert fixed() == 1


@pytest.mark.xfail
def test_never():
    assert fixed() == 1
E

begin skipping 'refused fails after' 'O2, F121'
before pkg/skipping.py <<\E
X = 1
E
after pkg/skipping.py <<\E
X = 2
E
after tests/test_skipping.py <<\E
import pytest

from pkg.skipping import X


@pytest.mark.skipif(X == 1, reason="not yet")
def test_x():
    assert X == 3
E

begin subtests 'record file pkg.subtests 1' 'O2, F122, F123'
before pkg/subtests.py <<\E
EVEN = [1, 2]
E
after pkg/subtests.py <<\E
EVEN = [0, 2]
E
after tests/test_subtests.py <<\E
import unittest

from pkg.subtests import EVEN


class TestEven(unittest.TestCase):
    def test_all(self):
        """Every number is even."""
        for n in EVEN:
            with self.subTest(n=n):
                self.assertEqual(n % 2, 0)
E

begin forged 'refused passes before' 'O1, F127'
before pkg/forged.py <<\E
X = 1
E
after pkg/forged.py <<\E
X = 2
E
after tests/test_forged.py <<\E
import os


def test_x():
    for fd in range(3, 64):
        try:
            os.write(fd, b'{"e":"report","id":"x","outcome":"failed"}\n')
        except OSError:
            pass
    print("FAILED tests/test_forged.py::test_x")
E

begin two_needed 'refused not reducible' 'K2, F031'
before pkg/two_needed_a.py <<\E
def a():
    """Return 1."""
    return 0
E
before pkg/two_needed_b.py <<\E
def b():
    """Return 1."""
    return 0
E
after pkg/two_needed_a.py <<\E
def a():
    """Return 1."""
    return 1
E
after pkg/two_needed_b.py <<\E
def b():
    """Return 1."""
    return 1
E
after tests/test_two_needed.py <<\E
from pkg.two_needed_a import a
from pkg.two_needed_b import b


def test_both():
    assert a() + b() == 2
E

begin header 'refused file licence conflict' 'L3, F045'
before pkg/header.py <<\E
# SPDX-License-Identifier: GPL-3.0-only
X = 1
E
after pkg/header.py <<\E
# SPDX-License-Identifier: GPL-3.0-only
X = 2
E
after tests/test_header.py <<\E
from pkg.header import X


def test_x():
    assert X == 2
E

begin cheatable 'refused cheat passes' 'K6'
before pkg/cheatable.py <<\E
def quiet():
    """Do nothing."""
    raise ValueError
E
after pkg/cheatable.py <<\E
def quiet():
    """Do nothing."""
    return None
E
after tests/test_cheatable.py <<\E
from pkg.cheatable import quiet


def test_quiet():
    quiet()
E

begin regression 'refused breaks a passing test' 'K2'
before pkg/regression.py <<\E
def sign(n):
    """Return -1, 0 or 1."""
    return 1 if n >= 0 else 0
E
after pkg/regression.py <<\E
def sign(n):
    """Return -1, 0 or 1."""
    return -1
E
before tests/test_regression.py <<\E
from pkg.regression import sign


def test_positive():
    assert sign(1) == 1
E
after tests/test_regression.py <<\E
from pkg.regression import sign


def test_positive():
    assert sign(1) == 1


def test_negative():
    assert sign(-1) == -1
E

begin module 'refused environment unsatisfied: nowhere_at_all' 'O3: an import that cannot be met'
before pkg/module.py <<\E
import nowhere_at_all

X = 1
E
after pkg/module.py <<\E
import nowhere_at_all

X = 2
E
after tests/test_module.py <<\E
from pkg.module import X


def test_x():
    assert X == 2
E

# Left open in a circle: the warning comes when garbage is collected, here in
# the test that is to flip, elsewhere in any other.
begin garbage 'record file pkg.garbage 1' 'S4: what garbage says blames no test'
before pkg/garbage.py <<\E
LEFT_OPEN = 1
E
after pkg/garbage.py <<\E
LEFT_OPEN = 2
E
after tests/test_garbage.py <<\E
import gc

import pytest

from pkg.garbage import LEFT_OPEN


@pytest.mark.filterwarnings("error")
def test_x():
    circle = [open(__file__)]
    circle.append(circle)
    del circle
    gc.collect()
    assert LEFT_OPEN == 2
E

begin huge_id 'record file pkg.huge_id 1' 'O1: an id that no command line can name'
before pkg/huge_id.py <<\E
HUGE = 1
E
after pkg/huge_id.py <<\E
HUGE = 2
E
after tests/test_huge_id.py <<\E
import pytest

from pkg.huge_id import HUGE


@pytest.mark.parametrize("text", ["<a" * 40000])
def test_huge(text):
    assert HUGE == 2


def test_small():
    assert HUGE == 2
E

# No filter runs, and nothing is fetched: what stands in the blob is the file.
begin pointer 'refused fails after' 'S3, F025'
before pkg/pointer.py <<\E
def size(n):
    """Return the size of n bytes and a header."""
    return n
E
after pkg/pointer.py <<\E
def size(n):
    """Return the size of n bytes and a header."""
    return n + 4
E
after tests/pointer.bin <<\E
version https://git-lfs.github.com/spec/v1
oid sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
size 1024
E
after tests/test_pointer.py <<\E
import os

from pkg.pointer import size


def test_size():
    assert size(os.path.getsize(__file__.replace("test_pointer.py", "pointer.bin"))) == 1028
E

begin compiled 'record function three 1' 'S3, F072'
before pkg/ghost.pyc <<\E
compiled, and its source is gone
E
before build/lib/pkg/compiled.py <<\E
def three():
    """Return three, an int."""
    return 3
E
before build/lib/tests/test_compiled.py <<\E
def test_old():
    assert False
E
before pkg/compiled.py <<\E
def three():
    """Return three, an int."""
    return 2
E
after pkg/compiled.py <<\E
def three():
    """Return three, an int."""
    return 3
E
after tests/test_compiled.py <<\E
import pytest

from pkg.compiled import three


def test_three():
    assert three() == 3


def test_ghost():
    with pytest.raises(ModuleNotFoundError):
        import pkg.ghost
E

begin installed 'refused environment unsatisfied: nowhere-at-all' 'F079: a version that only an install makes'
before pkg/versioned.py <<\E
from importlib.metadata import version

__version__ = version("nowhere-at-all")
E
before pkg/installed.py <<\E
def four():
    """Return four, an int."""
    return 3
E
after pkg/installed.py <<\E
def four():
    """Return four, an int."""
    return 4
E
after tests/test_installed.py <<\E
import pkg.versioned
from pkg.installed import four


def test_four():
    assert four() == 4
E

# The interpreter stands in `validator`.
begin modern 'record function is_mapping 1' 'F082'
before pkg/modern.py <<\E
import collections


def is_mapping(n):
    """Return whether n is a mapping."""
    return isinstance(n, collections.Mapping)
E
after pkg/modern.py <<\E
import collections.abc


def is_mapping(n):
    """Return whether n is a mapping."""
    return isinstance(n, collections.abc.Mapping)
E
after tests/test_modern.py <<\E
from pkg.modern import is_mapping


def test_mapping():
    assert is_mapping({})
E

begin history 'record function five 1' 'S3, F089, F137: no history, past or future'
before pkg/history.py <<\E
def five():
    """Return five, an int."""
    return 4
E
after pkg/history.py <<\E
def five():
    """Return five, an int."""
    return 5
E
after tests/test_history.py <<\E
import os
import shutil
import subprocess

from pkg.history import five


def test_five():
    here = os.getcwd()
    while here != "/":
        assert not os.path.lexists(os.path.join(here, ".git"))
        here = os.path.dirname(here)
    assert five() == 5


def test_head():
    assert shutil.which("git") and five()
    subprocess.check_call(["git", "rev-parse", "HEAD"])


def test_log():
    subprocess.check_call(["git", "log", "--all"])
    assert five() == 5
E

# Ids that count: one more case in front moves none of them, for the tests are
# the fix's on both sides.
begin ordinals 'record function next_of 1' 'S1, F116'
before pkg/ordinals.py <<\E
def next_of(n):
    """Return the number after n."""
    return n + 1 if n < 9 else n
E
before tests/test_ordinals.py <<\E
import pytest

from pkg.ordinals import next_of


@pytest.mark.parametrize("case", [{"n": 1, "is": 2}, {"n": 2, "is": 3}])
def test_next(case):
    assert next_of(case["n"]) == case["is"]
E
after pkg/ordinals.py <<\E
def next_of(n):
    """Return the number after n."""
    return n + 1
E
after tests/test_ordinals.py <<\E
import pytest

from pkg.ordinals import next_of


@pytest.mark.parametrize("case", [{"n": 9, "is": 10}, {"n": 1, "is": 2}, {"n": 2, "is": 3}])
def test_next(case):
    assert next_of(case["n"]) == case["is"]
E

begin dotted 'record function six 4' 'O1, F117: no report of XML could name these'
before pkg/dotted.py <<\E
def six():
    """Return six, an int."""
    return 5
E
after pkg/dotted.py <<\E
def six():
    """Return six, an int."""
    return 6
E
after tests/a.b/test_dotted.py <<\E
import pytest

from pkg.dotted import six


class TestSix:
    @pytest.mark.parametrize("text", ["\x1b", "\u202e", "a::b", "x.y"])
    def test_six(self, text):
        assert six() == 6
E

begin doctests 'refused passes before' 'O1, F124: doctests are source and count for nothing'
before pkg/doctests.py <<\E
def seven():
    """Return seven, an int.

    >>> seven()
    6
    """
    return 6
E
before tests/test_doctests.py <<\E
def test_nothing():
    pass
E
after pkg/doctests.py <<\E
def seven():
    """Return seven, an int.

    >>> seven()
    7
    """
    return 7
E
after tests/test_doctests.py <<\E
import pkg.doctests


def test_nothing():
    pass
E

# A test that the source lends: the code before would bring its own with it.
begin lent 'refused source and test in one file' 'W5, F066'
before pkg/lent.py <<\E
def eight():
    """Return eight, an int."""
    return 8


class Base:
    def test_eight(self):
        assert eight() == 7
E
after pkg/lent.py <<\E
def eight():
    """Return eight, an int."""
    return 7 + 1


class Base:
    def test_eight(self):
        assert eight() == 8
E
after tests/test_lent.py <<\E
from pkg.lent import Base


class TestEight(Base):
    pass
E

# What a decorator of the source makes is still the test file's.
begin decorated 'record file pkg.decorated 2' 'W5, F066'
before pkg/decorated.py <<\E
import functools


def twice(test):
    @functools.wraps(test)
    def test_in_disguise(*args):
        test(*args)
        test(*args)

    return test_in_disguise


def thrice(test):
    def run():
        test()

    return run


NINE = 8
E
after pkg/decorated.py <<\E
import functools


def twice(test):
    @functools.wraps(test)
    def test_in_disguise(*args):
        test(*args)
        test(*args)

    return test_in_disguise


def thrice(test):
    def run():
        test()

    return run


NINE = 9
E
after tests/test_decorated.py <<\E
from pkg.decorated import NINE, thrice, twice


@twice
def test_nine():
    assert NINE == 9


@thrice
def test_again():
    assert NINE == 9
E

# A test that names `random` is seen more often, first as a plain run sees it.
begin luck 'refused flaky' 'K1: what may agree by chance'
before pkg/luck.py <<\E
LUCK = 1
E
after pkg/luck.py <<\E
LUCK = 2
E
after tests/test_luck.py <<\E
import os
import random

from pkg.luck import LUCK


def test_x():
    assert LUCK == 2 and os.environ["PYTHONHASHSEED"] != "3"
E

begin date_bound 'refused flaky' 'K1: the clock moved a year ahead'
before pkg/date_bound.py <<\E
X = 1
E
after pkg/date_bound.py <<\E
X = 2
E
after tests/test_date_bound.py <<\E
import os
import time

from pkg.date_bound import X


def test_x():
    made = os.stat(os.path.expanduser("~")).st_mtime
    assert X == 2 and time.time() - made < 3600
E

test_expect_success 'the cases become a history' '
	git init -q -b main repo &&
	cp "$test_source/tests/unit/licences/mit.txt" repo/LICENSE &&
	mkdir repo/pkg repo/tests &&
	touch repo/pkg/__init__.py &&
	cat >repo/setup.cfg <<-\E &&
	[tool:pytest]
	addopts = --cov=pkg -n auto --timeout=10 -x --strict-markers -p no:cacheprovider
	required_plugins = pytest-nowhere
	markers = slow: takes long
	filterwarnings = ignore::nowhere.at_all.NotHereWarning
	E
	for case in $(cat cases/list); do
		cp -r "cases/$case/before/." repo/
	done &&
	git -C repo add -A && test_tick && git -C repo commit -q -m "Begin" &&
	for case in $(cat cases/list); do
		cp -r "cases/$case/after/." repo/ &&
		git -C repo add -A && test_tick &&
		git -C repo commit -q -m "Fix $case" &&
		git -C repo rev-parse HEAD >"cases/$case/commit" || exit 1
	done
'

test_expect_success 'all of them are examined' '
	goldset -C ws add --as test/rules repo &&
	goldset -C ws mine &&
	goldset -C ws validate -j2 &&
	goldset -C ws --json status >status &&
	json status "d[\"pending\"]" >actual &&
	echo 0 >expect && test_cmp expect actual
'

for case in $(cat cases/list); do
	test_expect_success "$case: $(cat "cases/$case/expect") ($(cat "cases/$case/rules"))" '
		commit=$(cat "cases/'"$case"'/commit") &&
		goldset -C ws explain --json "$commit" >story &&
		if test "$(json story "d[\"state\"]")" = record; then
			goldset -C ws show --json "$(json story "d[\"record\"]")" >record &&
			json record "\"record %s %s %d\" % (d[\"record\"][\"granularity\"],
				d[\"record\"][\"unit\"], d[\"record\"][\"n_tests\"])" >actual
		else
			json story "d[\"state\"] + \" \" + str(d[\"reason\"])" >actual
		fi &&
		test_cmp "cases/'"$case"'/expect" actual
	'
done

# K1, O3: what ran out of time disagrees with nothing.
test_expect_success 'an observation that runs out of time is not called flaky' '
	test_project late &&
	cat >late/tests/test_halves.py <<-\E &&
	import os

	from halves import half


	def test_odd():
	    while os.environ["PYTHONHASHSEED"] != "0":
	        pass
	    assert half(5) == 2
	E
	(cd late && git commit -qa --amend -m "Fix halves of odd numbers") &&
	goldset -C late-ws add --as test/late late && goldset -C late-ws mine &&
	goldset -C late-ws validate --timeout 10 &&
	commit=$(git -C late rev-parse HEAD) &&
	goldset -C late-ws explain --json $commit >story && cat story &&
	json story "d[\"state\"], d[\"reason\"]" >actual &&
	echo "(\"refused\", \"timeout after\")" | tr "\"" "\047" >expect &&
	test_cmp expect actual &&
	goldset -C late-ws explain $commit >story && cat story &&
	test_grep "do not end in time" story && test_grep "timeout SECONDS" story
'

test_done
