import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.views.spreadsheet import WORD, paste, read_block, write_block
from engine.presets import load_preset

CELL = st.text(st.characters(blacklist_categories=("Cs",), blacklist_characters="\r\0"))


def columns_of(*names):
    return [(WORD, 0) if name == WORD else (name[:-1], int(name[-1])) for name in names]


ALL = columns_of("word", "query0", "query1", "key0", "key1", "value0", "value1")


def test_a_block_has_its_rows_and_columns():
    assert read_block("1\t2\r\n3\t4\r\n") == [["1", "2"], ["3", "4"]]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", ""])
def test_the_line_end_after_the_last_row_is_no_row(end):
    assert read_block(f"a\tb{end}") == [["a", "b"]]


def test_quotes_hold_tabs_line_ends_and_quotes():
    assert read_block('"a\tb"\t"c\nd"\t"say ""hi"""\n') == [["a\tb", "c\nd", 'say "hi"']]


def test_a_quote_inside_a_cell_is_a_character():
    assert read_block('5" disk\tb') == [['5" disk', "b"]]


def test_rows_of_unequal_length_are_refused():
    with pytest.raises(ValueError, match="row 2 of what was copied has 1 cell, row 1 has 2"):
        read_block("1\t2\n3\n")


@pytest.mark.parametrize("text", ["", "\n", "\r\n\r\n"])
def test_nothing_is_refused(text):
    with pytest.raises(ValueError, match="there is no text to paste"):
        read_block(text)


@given(st.integers(1, 4).flatmap(lambda w: st.lists(st.lists(CELL, min_size=w, max_size=w),
                                                    min_size=1, max_size=4)))  # fmt: skip
def test_what_is_written_reads_back(rows):
    text = write_block(rows)
    if text.strip("\r\n"):
        assert read_block(text) == rows


@pytest.mark.case(16)
def test_two_rows_and_two_columns_are_one_edit(post):
    after = paste(post, 0, ALL[1:], 0, read_block("1\t2\r\n3\t4\r\n")).sentence
    assert after.heads[0].query == ((1, 2), (3, 4), (2, 0), (1, 0))
    assert after.heads[0].key == post.heads[0].key


def test_a_block_may_go_over_query_key_and_value(post):
    after = paste(post, 0, ALL[2:], 3, read_block("7\t8\t9\t-1,5\n")).sentence
    head = after.heads[0]
    assert (head.query[3], head.key[3], head.value[3]) == ((1, 7), (8, 9), (-1.5, 1))


def test_words_and_numbers_are_pasted_together(post):
    after = paste(post, 0, ALL, 1, read_block("dog\t0,5\t-2\n")).sentence
    assert after.words == ("the", "dog", "sat", "down")
    assert after.heads[0].query[1] == (0.5, -2)


def test_rows_below_the_last_word_are_new_words(post):
    after = paste(post, 0, ALL, 3, read_block("up\t1\t2\nthere\t3\t4\n")).sentence
    assert after.words == ("the", "cat", "sat", "up", "there")
    assert after.heads[0].query[3:] == ((1, 2), (3, 4))


def test_a_list_of_words_after_the_last_one_adds_them(post):
    after = paste(post, 0, ALL, 4, read_block("and\nslept\n")).sentence
    assert after.words[4:] == ("and", "slept")


@pytest.mark.case(16)
def test_too_many_columns_are_refused(post):
    with pytest.raises(ValueError, match="3 columns don't fit: there are 2 columns from here on"):
        paste(post, 0, ALL[5:], 0, [["1", "2", "3"]])


@pytest.mark.case(16)
def test_too_many_rows_of_numbers_are_refused(post):
    with pytest.raises(ValueError, match="2 rows don't fit: there is 1 row from here on"):
        paste(post, 0, ALL[1:], 3, [["1"], ["2"]])


@pytest.mark.case(1)
@pytest.mark.parametrize("text", ["nan", "inf", "1e309", "-", "", "x"])
def test_a_cell_that_is_no_number_is_refused_with_its_place(post, text):
    with pytest.raises(ValueError, match="row 2, column 1 of what was copied: "):
        paste(post, 0, ALL[1:], 0, [["1", "2"], [text, "4"]])


def test_vectors_made_by_w_are_not_pasted_over():
    with pytest.raises(ValueError, match="made by W"):
        paste(load_preset("two-heads"), 0, [("embeddings", 1), ("", 0)], 0, [["1", "2"]])


def test_embeddings_are_pasted_where_a_head_is_made():
    after = paste(load_preset("two-heads"), 0, [("embeddings", 0), ("embeddings", 1)], 0,
                  [["9", "8"]])  # fmt: skip
    assert after.sentence.embeddings[0] == (9, 8)
