/** Structures of bit fields in network byte order: declared once, then read, written, compared and printed. */
@NullMarked
package org.railyard.mad.layout;

import org.jspecify.annotations.NullMarked;
