from headproof.proofs_check.runner.seeds import producer_seed


def test_seeds_are_pinned_so_that_old_runs_can_be_repeated() -> None:
    assert producer_seed(0, "t.x", "search") == 6208081715903452636


def test_seeds_differ_in_every_argument_and_do_not_run_together() -> None:
    triples = [(0, "t.x", "s"), (1, "t.x", "s"), (0, "t.y", "s"), (0, "t.x", "r"), (0, "t.xs", "")]
    seeds = {producer_seed(*triple) for triple in triples}
    assert len(seeds) == len(triples)
    assert all(0 <= seed < 2**63 for seed in seeds)
