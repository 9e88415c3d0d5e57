/** Which way a message goes: the choice of local NI and peer NI (spec 10 §8). Decides, keeps no state. Next room: {@code org.railyard.lnet.stack}. */
@NullMarked
package org.railyard.lnet.select;

import org.jspecify.annotations.NullMarked;
