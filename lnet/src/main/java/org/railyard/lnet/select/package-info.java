/** Which way a message goes: the choice of local NI and peer NI (spec 10 §8). Decides, keeps no state. */
@NullMarked
package org.railyard.lnet.select;

import org.jspecify.annotations.NullMarked;
