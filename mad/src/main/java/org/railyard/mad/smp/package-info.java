/** The attributes of subnet management packets, each one declared layout (spec 40 §2.3 and §3). */
@NullMarked
package org.railyard.mad.smp;

import org.jspecify.annotations.NullMarked;
