/** Virtual time: one queue of events, clocks and workers that live from it, chance from one seed. Knows nothing of networks. Next room: {@code org.railyard.lab.net}. */
@NullMarked
package org.railyard.lab.engine;

import org.jspecify.annotations.NullMarked;
