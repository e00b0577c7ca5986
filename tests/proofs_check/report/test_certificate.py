"""What the report says of certificates."""

from headproof.proofs_check.checker import KINDS
from headproof.proofs_check.report.certificate import PROVES


def test_every_kind_is_explained() -> None:
    assert set(PROVES) == set(KINDS)
