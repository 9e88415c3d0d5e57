/** UDP as Linux offers it beside Java: many packets in one call, by the Foreign Function and Memory API. */
@NullMarked
package org.railyard.roce.net.linux;

import org.jspecify.annotations.NullMarked;
