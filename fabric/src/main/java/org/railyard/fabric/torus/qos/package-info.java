/** QoS levels, data VLs, and the settings of a subnet manager that go with torus-2QoS (spec 30 §5, §8). */
@NullMarked
package org.railyard.fabric.torus.qos;

import org.jspecify.annotations.NullMarked;
