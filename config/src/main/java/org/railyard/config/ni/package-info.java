/** What the text of an NI consists of: devices, groups of them, CPU partitions. */
@NullMarked
package org.railyard.config.ni;

import org.jspecify.annotations.NullMarked;
