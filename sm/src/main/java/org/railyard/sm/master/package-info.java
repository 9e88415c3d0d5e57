/** A master at one port: the subnet manager and its subnet administration together. */
@NullMarked
package org.railyard.sm.master;

import org.jspecify.annotations.NullMarked;
