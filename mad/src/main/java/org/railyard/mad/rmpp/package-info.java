/** The reliable multi-packet protocol, by which answers of the SA take more than one datagram: both ends, sans-I/O. */
@NullMarked
package org.railyard.mad.rmpp;

import org.jspecify.annotations.NullMarked;
