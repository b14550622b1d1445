"""The current set-up for other programs, so that an office can check the figures with the one that it trusts."""

from .muargus import export_muargus, muargus_files
from .sdcmicro import export_sdcmicro, sdcmicro_files

__all__ = ["export_muargus", "export_sdcmicro", "muargus_files", "sdcmicro_files"]
