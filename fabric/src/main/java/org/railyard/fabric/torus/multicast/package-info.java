/** The one tree that all multicast groups share, and the tables of groups (spec 30 §10). */
@NullMarked
package org.railyard.fabric.torus.multicast;

import org.jspecify.annotations.NullMarked;
