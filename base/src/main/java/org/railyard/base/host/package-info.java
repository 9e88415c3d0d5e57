/**
 * What a node needs from the machine it runs on: clock, chance, workers, CPUs. Injected, so that the same stack runs in
 * real and in virtual time.
 */
@NullMarked
package org.railyard.base.host;

import org.jspecify.annotations.NullMarked;
