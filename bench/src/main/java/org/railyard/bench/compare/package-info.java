/** Runs contenders side by side and reports medians and ratios; knows no contender. */
@NullMarked
package org.railyard.bench.compare;

import org.jspecify.annotations.NullMarked;
