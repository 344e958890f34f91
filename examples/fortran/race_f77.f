C     race_f77: wildcard receives from FORTRAN 77 with mpif.h, with the
C     status ignored: the source arrives in the message.
C
C         mpirun -n 4 race_f77
      PROGRAM RACE77
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER NUMBRS, TAG
      PARAMETER (NUMBRS = 100, TAG = 4)
      INTEGER RANK, SIZE, IERR, I
      DOUBLE PRECISION NUMBER, ANSWER

      CALL MPI_INIT(IERR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERR)
      CALL MPI_COMM_SIZE(MPI_COMM_WORLD, SIZE, IERR)
      IF (RANK .NE. 0) THEN
         DO 10 I = 1, NUMBRS
            NUMBER = RANK + I / 1000.0D0
            CALL MPI_SEND(NUMBER, 1, MPI_DOUBLE_PRECISION, 0, TAG,
     &                    MPI_COMM_WORLD, IERR)
   10    CONTINUE
      ELSE
         ANSWER = 0.0D0
         DO 20 I = 1, NUMBRS * (SIZE - 1)
            CALL MPI_RECV(NUMBER, 1, MPI_DOUBLE_PRECISION,
     &                    MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
     &                    MPI_STATUS_IGNORE, IERR)
            ANSWER = 0.99D0 * ANSWER + NUMBER
   20    CONTINUE
         WRITE (*, '(A,F18.14)') ' answer = ', ANSWER
      END IF
      CALL MPI_FINALIZE(IERR)
      END
