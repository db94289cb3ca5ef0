/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
#include <malloc.h> /* mallopt, which Swift's own C library module leaves out */
#include <sodium.h>
