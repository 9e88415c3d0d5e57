/**
 * Runs contenders side by side and reports medians and ratios; knows no contender. Next room: {@code
 * org.railyard.bench.peer}.
 */
@NullMarked
package org.railyard.bench.compare;

import org.jspecify.annotations.NullMarked;
