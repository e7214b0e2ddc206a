"""The order in which threads of a warp go on where they meet."""

from hoyle.play.codegen.c.reconvergence import NEXT_MATCH, find_reconvergence, find_retreating


def test_inner_loops_come_before_outer_ones_and_heads_last():
    # 1 begins; 2 is the head of rounds; 3 that of turns, with 4 in them; 5 follows them; 6 ends the match.
    targets = {1: (2,), 2: (3, 6), 3: (4, 5), 4: (3,), 5: (2,), 6: ()}
    assert find_reconvergence(targets, 1, [5]) == [3, 5, NEXT_MATCH, 1, 2]


def test_a_new_match_waits_for_all_where_nothing_is_repeated():
    assert find_reconvergence({1: (2, 3), 2: (3,), 3: ()}, 1, []) == [1, 3, NEXT_MATCH]


def test_a_block_that_leads_to_itself_is_a_loop():
    assert find_reconvergence({1: (2,), 2: (2, 3), 3: ()}, 1, []) == [NEXT_MATCH, 1, 2]


def test_a_match_may_begin_with_its_rounds():
    assert find_reconvergence({1: (2, 3), 2: (1,), 3: ()}, 1, [2]) == [2, NEXT_MATCH, 1]


def test_whatever_goes_round_goes_by_a_way_on_from_the_head_of_a_loop():
    # Turns (3, 4) within rounds (2, 5), and a round that is begun anew from a turn.
    targets = {1: (2,), 2: (3, 6), 3: (4, 5), 4: (3, 2), 5: (2,), 6: ()}
    assert find_retreating(targets, list(targets)) == {(2, 3), (3, 4)}


def test_only_the_blocks_that_are_asked_about_go_round():
    assert find_retreating({1: (2,), 2: (3,), 3: (1, 2, 3)}, [1, 3]) == {(3, 3)}
