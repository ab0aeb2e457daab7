from desktop.views.lists import shortened, write_short_list


def test_a_short_list_is_written_whole():
    assert write_short_list([1, 2.5], 2, 2) == "[1.00, 2.50]"


def test_a_long_list_ends_with_an_ellipsis():
    assert write_short_list([1, 2, 3], 2, 2) == "[1, 2, …]"


def test_a_list_loses_whole_numbers_from_its_end_and_never_its_first():
    assert shortened("[1.00, 2.50]") == "[1.00, …]"
    assert shortened("was [1, 2, …]") == "was [1, …]"
    assert shortened("[1, …]") == "[1, …]"
    assert shortened("2.83") == "2.83"
