/** What a node needs from the machine it runs on: clock, chance, workers, CPUs. Injected, so that the same stack runs in real and in virtual time. Next room: {@code org.railyard.lnet}. */
@NullMarked
package org.railyard.lnet.host;

import org.jspecify.annotations.NullMarked;
