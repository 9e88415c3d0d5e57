/**
 * The files that OpenSM is configured with, as it reads them: {@code opensm.conf}, partitions, prefix routes; from
 * text, and with the place of everything that is not known (spec 31 §7, spec 41 §8).
 */
@NullMarked
package org.railyard.sm.conf;

import org.jspecify.annotations.NullMarked;
