#compdef goldset-verify
# SPDX-License-Identifier: Apache-2.0
# Completion of goldset-verify for zsh: the options are read from --help.
_gnu_generic
