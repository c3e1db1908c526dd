"""Loads a checkpoint's weights: precision, loader, devices."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoModelForImageTextToText, BitsAndBytesConfig, PreTrainedModel
from transformers.utils import logging as transformers_logging

from jointcore.decisions.models.entry import ModelEntry
from jointcore.errors import InputError

_LOADERS = {"causal_lm": AutoModelForCausalLM, "image_text_to_text": AutoModelForImageTextToText}


def check_devices(entry: ModelEntry) -> None:
    """Check that this machine has the GPUs that an entry wants.

    Raises:
        InputError: there are too few, or too little memory on one.
    """
    if not entry.gpus:
        return
    found = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if found < entry.gpus:
        raise InputError(
            f"model {entry.key} wants {entry.gpus} GPUs with CUDA but this machine offers {found}; run it on a "
            "machine that has them, or set gpus to 0 to use the CPU"
        )
    for device in range(entry.gpus):
        memory = torch.cuda.get_device_properties(device).total_memory / 1e9
        if memory < 0.95 * entry.gpu_memory_gb:
            raise InputError(
                f"model {entry.key} wants {entry.gpu_memory_gb:g} GB on each GPU but GPU {device} has {memory:.0f} GB; "
                "use a larger one, or raise gpus and lower gpu_memory_gb"
            )


def load_model(entry: ModelEntry, folder: Path) -> PreTrainedModel:
    """The model with its weights, on its devices, ready for inference.

    Raises:
        InputError: there are too few GPUs, memory runs out, the loader does not know the architecture, or
            weights are missing from the checkpoint.
    """
    check_devices(entry)
    options: dict[str, Any] = {
        "dtype": getattr(torch, entry.compute_dtype if entry.quantized else entry.precision),
        "device_map": _device_map(entry),
        "use_safetensors": True,
        "trust_remote_code": False,
        "local_files_only": True,
        "output_loading_info": True,
    }
    if entry.precision == "nf4":
        options["quantization_config"] = BitsAndBytesConfig(
            load_in_4bit=True,
            bnb_4bit_quant_type="nf4",
            bnb_4bit_use_double_quant=True,
            bnb_4bit_compute_dtype=options["dtype"],
        )
    if entry.gpus > 1:
        options["max_memory"] = dict.fromkeys(range(entry.gpus), f"{entry.gpu_memory_gb:g}GB")
    transformers_logging.disable_progress_bar()  # a log is no place for bars
    try:
        model, info = _LOADERS[entry.loader].from_pretrained(folder, **options)
    except (ValueError, KeyError, ImportError) as error:
        reason = next(iter(str(error).splitlines()), type(error).__name__).rstrip(".")
        raise InputError(
            f"model {entry.key}: {entry.source} cannot be loaded as {entry.loader} ({reason}); "
            "correct its loader or precision"
        ) from error
    except RuntimeError as error:
        if not out_of_memory(error):
            raise
        raise InputError(f"model {entry.key} does not fit into memory; {memory_remedy(entry)}") from error
    if info["missing_keys"]:
        raise InputError(
            f"model {entry.key}: {entry.source} lacks weights that {entry.loader} needs, such as "
            f"{sorted(info['missing_keys'])[0]}; correct its loader or choose a complete checkpoint"
        )
    placed = {str(device) for device in getattr(model, "hf_device_map", {}).values()}
    if entry.gpus and placed & {"cpu", "disk"}:
        raise InputError(
            f"model {entry.key} does not fit on {entry.gpus} GPUs of {entry.gpu_memory_gb:g} GB; {memory_remedy(entry)}"
        )
    if entry.quantized:
        _set_compute_dtype(model, options["dtype"])
    return model.eval().requires_grad_(False)


def out_of_memory(error: RuntimeError) -> bool:
    """Whether an error says that the memory of a GPU or of the machine ran out."""
    return isinstance(error, torch.OutOfMemoryError) or "can't allocate memory" in str(error)


def memory_remedy(entry: ModelEntry) -> str:
    """What a user can do when memory runs out at the smallest batch."""
    if entry.gpus:
        return (
            f"use GPUs with more than {entry.gpu_memory_gb:g} GB, raise gpus above {entry.gpus}, "
            "or choose a smaller precision"
        )
    return f"use a machine with more than {entry.mem_mb} MB, or choose a smaller model"


def _device_map(entry: ModelEntry) -> Any:
    if entry.gpus > 1:
        return "auto"
    return {"": 0 if entry.gpus else "cpu"}


def _set_compute_dtype(model: PreTrainedModel, dtype: torch.dtype) -> None:
    """A checkpoint stored quantized keeps the compute type that it was stored with, whatever it is asked for."""
    from bitsandbytes.nn import Linear4bit

    for module in model.modules():
        if isinstance(module, Linear4bit):
            module.compute_dtype = dtype
            module.compute_type_is_set = True
