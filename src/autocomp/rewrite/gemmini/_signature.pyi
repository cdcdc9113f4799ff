import numpy as np
import numpy.typing as npt

def signature(
    kinds: npt.NDArray[np.int8],
    first: npt.NDArray[np.int64],
    second: npt.NDArray[np.int64],
    sizes: npt.NDArray[np.int64],
    strides: npt.NDArray[np.int64],
) -> tuple[int, int]: ...
