/**
 * The attributes of performance management, each one declared layout (InfiniBand Architecture Specification, volume 1,
 * chapter 16).
 */
@NullMarked
package org.railyard.mad.perf;

import org.jspecify.annotations.NullMarked;
