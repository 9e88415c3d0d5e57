/**
 * The subnet manager, measured: on simulated agents in a JVM of its own for each torus, and on ibsim beside OpenSM, in
 * a network namespace that nobody else is in.
 */
@NullMarked
package org.railyard.bench.sm;

import org.jspecify.annotations.NullMarked;
