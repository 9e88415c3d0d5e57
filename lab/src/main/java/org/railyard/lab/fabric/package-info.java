/**
 * Rails that are InfiniBand fabrics: simulated cards and switches, a subnet manager that routes, and the real o2iblnd
 * on them.
 */
@NullMarked
package org.railyard.lab.fabric;

import org.jspecify.annotations.NullMarked;
