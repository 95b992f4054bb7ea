"""Results without names, and the key that stays with the instructor."""

import pytest
from grading.submitting import hand_in, lines_of, listing, notebook, rows, words, write_class

from course_grading import results
from course_lib import cli
from course_lib.classroom.trouble import Trouble

ADA = '# Answer to welcome-1\n# by Ada Brandt, with thanks to Kofi Mensah\ny_holds = "Brandt"'


@pytest.fixture(scope="module")
def graded(tmp_path_factory, welcome):
    """Three students, graded twice with and without names."""
    folder = tmp_path_factory.mktemp("anonymous")
    subs = folder / "in"
    hand_in(subs, "Ada Brandt", notebook("welcome", {"welcome-1": ADA}), "brandt_final.ipynb")
    hand_in(subs, "Kofi Mensah", notebook("welcome"), "00_welcome.ipynb")
    hand_in(subs, "=Zoë", b"", "lebenslauf_zoe.pdf")
    both = words(folder, welcome, "--anonymous", str(folder / "ids"), "--resume")
    first = cli.main(both)
    before = (folder / "out" / results.KEY).read_bytes()
    assert (first, cli.main(both)) == (1, 1)
    return folder, before


def test_no_file_without_names_has_a_name_and_the_key_lies_with_the_names_and_stays(graded):
    folder, _ = graded
    files = [path for path in (folder / "ids").rglob("*") if path.is_file()]
    texts = {path: str(path.relative_to(folder)) + path.read_text("utf-8") for path in files}
    assert len(files) >= 7
    for name in ("Ada", "Brandt", "brandt_final", "Kofi", "Mensah", "Zoë", "lebenslauf"):
        assert [path for path, text in texts.items() if name in text] == []
    folder, before = graded
    assert not (folder / "ids" / results.KEY).exists()
    assert (folder / "out" / results.KEY).read_bytes() == before


def test_the_key_leads_back_to_the_same_marks(graded):
    folder, _ = graded
    named, ids = (
        {student: (row["points"], row["status"]) for student, row in rows(folder / out).items()}
        for out in ("out", "ids")
    )
    known = {line["student"]: line["id"] for line in lines_of(folder / "out" / results.KEY)}
    assert known.keys() == {"Ada Brandt", "Kofi Mensah", "'=Zoë"}
    names = {student.removeprefix("'"): ident for student, ident in known.items()}
    assert ids == {names[student]: mark for student, mark in named.items()}


def test_a_group_under_its_own_name_is_no_pair(tmp_path, welcome):
    write_class(tmp_path, {"roster.csv": "student,group\nada,team 1\nbob,team 1\n"})
    hand_in(tmp_path / "in", "team 1", notebook("welcome"))
    assert cli.main(words(tmp_path, welcome, "--anonymous", str(tmp_path / "ids"))) == 0
    for name in ("out", "ids"):
        sets = listing(tmp_path / name, "overview")["sets"]
        assert [one["alike"]["pairs"] for one in sets] == [[]]
    assert "team 1" not in (tmp_path / "ids" / "grades.json").read_text(encoding="utf-8")


def test_a_new_student_gets_a_new_id_the_others_keep_theirs_and_a_damaged_key_is_told(tmp_path):
    path = tmp_path / results.KEY
    path.write_text("id,student\nstudent-bcdfg,ada\n", encoding="utf-8")
    known = results.draw_ids(path, ["ada", "bob", "eve"])
    assert known["ada"] == "student-bcdfg" and len(set(known.values())) == 3
    path.write_text("name;number\nada;1\n", encoding="utf-8")
    with pytest.raises(Trouble, match="should have the columns id and student"):
        results.draw_ids(path, ["ada"])


@pytest.mark.parametrize("place", ["out", "out/ids", ".", "in/ids"])
def test_a_folder_that_would_mix_them_is_refused(tmp_path, place, capsys):
    (tmp_path / "in").mkdir()
    assert cli.main(words(tmp_path, tmp_path, "--anonymous", str(tmp_path / place))) == 2
    assert "--anonymous takes a folder apart" in capsys.readouterr().err
