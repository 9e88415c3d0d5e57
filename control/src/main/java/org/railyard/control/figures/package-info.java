/** Counters of a node as its operation {@code stats/sample} answers them, and the rates that two readings make. */
@NullMarked
package org.railyard.control.figures;

import org.jspecify.annotations.NullMarked;
