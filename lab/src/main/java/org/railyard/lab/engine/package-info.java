/**
 * Virtual time: one queue of events, clocks and workers that live from it, chance from one seed. Knows nothing of
 * networks.
 */
@NullMarked
package org.railyard.lab.engine;

import org.jspecify.annotations.NullMarked;
