/** The attributes of subnet administration, each one declared layout with its component mask (spec 40 §5). */
@NullMarked
package org.railyard.mad.sa;

import org.jspecify.annotations.NullMarked;
