/** What a routing engine is asked and what it answers: tables, SLs, SL to VL, multicast, or a refusal. */
@NullMarked
package org.railyard.fabric.route;

import org.jspecify.annotations.NullMarked;
