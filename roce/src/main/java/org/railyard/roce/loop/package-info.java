/** The one thread of a provider: its loops, its timers, the turns it takes. */
@NullMarked
package org.railyard.roce.loop;

import org.jspecify.annotations.NullMarked;
