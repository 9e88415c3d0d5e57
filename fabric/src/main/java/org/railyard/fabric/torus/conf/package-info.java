/** What a {@code torus-2QoS.conf} says: text to shape and seeds, and what is wrong with it (spec 30 §1, §2). */
@NullMarked
package org.railyard.fabric.torus.conf;

import org.jspecify.annotations.NullMarked;
