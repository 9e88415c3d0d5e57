/**
 * Routing and proof of tori, measured beside OpenSM on ibsim and ibdmchk. Ours runs in a JVM of its own for each
 * fabric, so that peak memory is that of the work.
 */
@NullMarked
package org.railyard.bench.fabric;

import org.jspecify.annotations.NullMarked;
