// groups: n / items_x
// theArray: in_out 2 * n
// stage: any
// passOfStage: any
// direction: any
__kernel void bitonicSort(__global uint* theArray, const uint stage, const uint passOfStage,
                          const uint direction) {
    uint sortIncreasing = direction;
    uint threadId = get_global_id(0);
    uint pairDistance = 1 << (stage - passOfStage);
    uint blockWidth = 2 * pairDistance;
    uint leftId = (threadId % pairDistance) + (threadId / pairDistance) * blockWidth;
    uint rightId = leftId + pairDistance;
    uint leftElement = theArray[leftId];
    uint rightElement = theArray[rightId];
    uint sameDirectionBlockWidth = 1 << stage;
    if ((threadId / sameDirectionBlockWidth) % 2 == 1) sortIncreasing = 1 - sortIncreasing;
    uint greater = max(leftElement, rightElement), lesser = min(leftElement, rightElement);
    theArray[leftId] = sortIncreasing ? lesser : greater;
    theArray[rightId] = sortIncreasing ? greater : lesser;
}
