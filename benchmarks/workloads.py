"""All workloads by name, in the order of the table."""

from benchmarks import blocks, chains, convolutions, perceptrons, printing, views
from benchmarks.workload import Workload

WORKLOADS: dict[str, Workload] = {
    workload.name: workload
    for workload in (
        chains.arithmetic,
        chains.curves,
        perceptrons.small,
        perceptrons.adam,
        perceptrons.large,
        blocks.elementwise,
        blocks.matmul,
        views.views,
        views.inplace,
        views.writes,
        views.adds,
        convolutions.cnn,
        perceptrons.deep,
        chains.long,
        printing.large,
        printing.small,
    )
}
