/** An independent reader: what tshark's LNet dissector says about our traffic. */
@NullMarked
package org.railyard.itest.tshark;

import org.jspecify.annotations.NullMarked;
