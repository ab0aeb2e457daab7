"""What n tokens cost: cells, operations and bytes."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Growth", "growth"]


@dataclass(frozen=True)
class Growth:
    """The cost of attention among `n` tokens with `heads` heads of `d` numbers in `layers` layers.

    Counts are whole numbers, never rounded. A "grid" is one head's n × n weights in one layer.
    """

    n: int
    d: int
    heads: int
    kv_heads: int
    layers: int
    bytes_per_number: int

    @property
    def cells(self) -> int:
        """Cells of one grid."""
        return self.n * self.n

    @property
    def causal_cells(self) -> int:
        """Cells of one grid that a causal mask leaves open."""
        return self.n * (self.n + 1) // 2

    @property
    def grids(self) -> int:
        """How many grids there are: one a head a layer."""
        return self.heads * self.layers

    @property
    def operations(self) -> int:
        """Multiplications and additions of Q Kᵀ and of weights times V, over all grids.

        Counted as is usual: each product of two entries is multiplied and then added, two each.
        """
        return 4 * self.cells * self.d * self.grids

    @property
    def grid_bytes(self) -> int:
        """One grid written down in full."""
        return self.cells * self.bytes_per_number

    @property
    def all_grid_bytes(self) -> int:
        """All grids of all layers kept at once, as plain training does."""
        return self.grid_bytes * self.grids

    @property
    def vector_bytes(self) -> int:
        """Query, key, value and output of all heads in one layer: what any method must hold."""
        rows = 2 * self.heads + 2 * self.kv_heads
        return rows * self.n * self.d * self.bytes_per_number

    @property
    def cache_bytes(self) -> int:
        """Keys and values of all layers, remembered while writing."""
        return 2 * self.kv_heads * self.layers * self.n * self.d * self.bytes_per_number


def growth(
    n: int,
    d: int,
    *,
    heads: int = 1,
    kv_heads: int | None = None,
    layers: int = 1,
    bytes_per_number: int = 4,
) -> Growth:
    """What attention among `n` tokens costs, counted exactly.

    d: numbers a vector in one head; kv_heads: heads of keys and values (default: as many as
    `heads`; 1 is multi-query, Shazeer 2019; between them grouped-query, Ainslie et al. 2023).
    Raises ValueError for a count below 1, or where kv_heads doesn't divide heads.
    """
    kv_heads = heads if kv_heads is None else kv_heads
    counts = {
        "n": n, "d": d, "heads": heads, "kv_heads": kv_heads, "layers": layers,
        "bytes_per_number": bytes_per_number,
    }  # fmt: skip
    for name, count in counts.items():
        if count < 1:
            raise ValueError(f"{name} must be at least 1, not {count}")
    if heads % kv_heads:
        raise ValueError(f"kv_heads = {kv_heads} must divide heads = {heads}")
    return Growth(n, d, heads, kv_heads, layers, bytes_per_number)
