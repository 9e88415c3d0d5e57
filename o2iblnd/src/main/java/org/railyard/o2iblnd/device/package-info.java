/** The interfaces of an NI: their devices, ports and listening, alone and as a group (spec 21 §2). */
@NullMarked
package org.railyard.o2iblnd.device;

import org.jspecify.annotations.NullMarked;
