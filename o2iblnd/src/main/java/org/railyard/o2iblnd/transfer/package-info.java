/** Transmits, and the memory that the card reads or writes for them: copied or mapped (spec 20 §11, §13.3). */
@NullMarked
package org.railyard.o2iblnd.transfer;

import org.jspecify.annotations.NullMarked;
