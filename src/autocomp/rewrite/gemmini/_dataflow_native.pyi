import numpy as np
import numpy.typing as npt

def follow(
    kinds: npt.NDArray[np.int8],
    constants: npt.NDArray[np.int64],
    statement: npt.NDArray[np.int32],
    first: npt.NDArray[np.int64],
    second: npt.NDArray[np.int64],
    sizes: npt.NDArray[np.int64],
    strides: npt.NDArray[np.int64],
) -> tuple[int, int, list[int], list[int], list[int], list[int], list[int], list[int]]: ...
