/** Campaigns: many runs by one plan, kept in a folder, that go on after an interruption. */
@NullMarked
package org.railyard.campaign;

import org.jspecify.annotations.NullMarked;
